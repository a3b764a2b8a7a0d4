#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs scatterproof as a gate: sh gate.sh --engine so:./libmine.so --fail-on-flaky
# All arguments go to `scatterproof run`. Set these to change what else it does:
: "${SCATTERPROOF_BASELINE=scatterproof-baseline.yaml}" # expected failures, where the file is there
: "${SCATTERPROOF_REPORTS=scatterproof-reports}"        # the folder of the reports
: "${SCATTERPROOF_RETRIES=2}"                           # how often an unexpected failure is tried again
# Arguments of `scatterproof fuzz`, quoted as in a shell, for generated calls after the cases:
: "${SCATTERPROOF_FUZZ=}"
set -u
mkdir -p "$SCATTERPROOF_REPORTS" || exit 4
[ ! -f "$SCATTERPROOF_BASELINE" ] || set -- --baseline "$SCATTERPROOF_BASELINE" "$@"
scatterproof run --retries "$SCATTERPROOF_RETRIES" \
  --report console=- \
  --report "jsonl=$SCATTERPROOF_REPORTS/run.jsonl" \
  --report "junit=$SCATTERPROOF_REPORTS/run.xml" \
  --report "markdown=$SCATTERPROOF_REPORTS/run.md" \
  --report "html=$SCATTERPROOF_REPORTS/run.html" \
  "$@" || exit
[ -n "$SCATTERPROOF_FUZZ" ] || exit 0
eval "set -- $SCATTERPROOF_FUZZ"
[ ! -f "$SCATTERPROOF_BASELINE" ] || set -- --baseline "$SCATTERPROOF_BASELINE" "$@"
exec scatterproof fuzz --save "$SCATTERPROOF_REPORTS/findings" \
  --report console=- --report "junit=$SCATTERPROOF_REPORTS/fuzz.xml" "$@"
