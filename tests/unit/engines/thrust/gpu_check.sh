#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests thrust-cuda on a GPU. From the checkout, after a build and
# `ninja -C BUILD scatterproof_thrust_cuda_host thrust_cuda_test`:
#     tests/unit/engines/thrust/gpu_check.sh pack BUILD FILE.tar.gz
# On the machine with the GPU, where the file was unpacked:
#     ./gpu_check.sh run
# The file holds all that it takes but the driver and, for the second half, NVIDIA's compute-sanitizer.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

pack() {
  local build=$1 file=$2 root
  root=$(cd "$here/../.." && pwd)
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  mkdir -p "$folder/lib" "$folder/engines"
  cp "$here/gpu_check.sh" "$build/scatterproof" "$build/tests/unit/engines/thrust/thrust_cuda_test" "$folder/"
  cp -r "$build/libexec" "$root/spec" "$root/cases" "$folder/"
  cp -r "$root/engines/workers" "$folder/engines/"
  # Shared libraries but those of glibc, which belong to the machine.
  ldd "$folder/scatterproof" "$folder/thrust_cuda_test" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    { grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' || true; } | xargs -I{} cp -L {} "$folder/lib/"
  tar -C "$folder" -czf "$file" .
}

# A case that fails, an unknown engine or a missing device all end the script.
run() {
  cd "$here"
  export LD_LIBRARY_PATH=$here/lib SCATTERPROOF_DATA=$here
  ./thrust_cuda_test --gtest_filter=Thrust.HasADevice
  ./thrust_cuda_test
  for engine in thrust-cuda thrust-cuda-deterministic; do
    ./scatterproof run --engine "$engine"
  done
  command -v compute-sanitizer >/dev/null || { echo "no compute-sanitizer here: memcheck and racecheck were not run" >&2; exit 77; }
  for tool in memcheck racecheck; do
    compute-sanitizer --tool "$tool" --error-exitcode 9 ./thrust_cuda_test --gtest_filter='*Long*:*Refused*'
    for mode in fast deterministic; do
      rm -f "$tool".*.log
      ./scatterproof run --timeout 120 --engine \
        "cmd:compute-sanitizer --tool $tool --log-file $tool.%p.log $here/libexec/scatterproof/scatterproof_thrust_cuda_host $mode"
      # Each process of the engine has left a log.
      for log in "$tool".*.log; do
        grep -qE 'ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards' "$log" || { cat "$log"; exit 1; }
      done
    done
  done
  echo "all in order"
}

case "${1:-}" in
  pack) pack "$2" "$3" ;;
  run) run ;;
  *) sed -n 3,5p "${BASH_SOURCE[0]}" >&2; exit 4 ;;
esac
