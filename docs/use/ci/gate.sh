#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs scatterproof as a gate: sh gate.sh --engine so:./libmine.so
# All arguments go to `scatterproof run`. Set these to change what else it does:
: "${SCATTERPROOF_BASELINE=scatterproof-baseline.yaml}" # expected failures, where the file is there
: "${SCATTERPROOF_REPORTS=scatterproof-reports}"        # the folder of the reports
: "${SCATTERPROOF_RETRIES=2}"                           # how often an unexpected failure is tried again
set -u
mkdir -p "$SCATTERPROOF_REPORTS" || exit 4
[ ! -f "$SCATTERPROOF_BASELINE" ] || set -- --baseline "$SCATTERPROOF_BASELINE" "$@"
exec scatterproof run --retries "$SCATTERPROOF_RETRIES" \
  --report console=- \
  --report "jsonl=$SCATTERPROOF_REPORTS/run.jsonl" \
  --report "junit=$SCATTERPROOF_REPORTS/run.xml" \
  --report "markdown=$SCATTERPROOF_REPORTS/run.md" \
  --report "html=$SCATTERPROOF_REPORTS/run.html" \
  "$@"
