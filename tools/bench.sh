#!/bin/bash
# tools/bench.sh [NAME ...]: run the benchmarks of build/release (default: all), each on the ranks that its source
# names in a line `// run: <ranks>`; CSV goes to build/bench/NAME.csv and to the terminal. `side_by_side` is the command's
# own: it calibrates the machine, then runs `cairn bench gemm` on 2 ranks with ScaLAPACK among the algorithms.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench
export CAIRN_TIMING=1 OPENBLAS_NUM_THREADS=1
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for source in bench/*.cpp; do
    [ -e "$source" ] && names+=("$(basename "$source" .cpp)")
  done
  names+=(side_by_side)
fi
# What is measured depends on OpenBLAS's kernels: say which they are, and whether they are the fastest.
[ ! -x build/release/apps/cairn ] || build/release/apps/cairn info | grep -e '^BLAS kernels' -e OPENBLAS_CORETYPE >&2 || true
side_by_side() {
  local cairn=build/release/apps/cairn machine=build/bench/machine.json
  "$cairn" calibrate --ranks 2 -o "$machine"
  "$cairn" bench gemm --ranks 2 --machine "$machine" --scalapack --csv | tee build/bench/side_by_side.csv
}
for name in ${names[@]+"${names[@]}"}; do
  if [ "$name" = side_by_side ]; then
    echo "== side_by_side on 2 ranks"
    side_by_side
    continue
  fi
  ranks=$(sed -n 's|^// run: \([0-9]*\)$|\1|p' "bench/$name.cpp" | head -1)
  [ -x "build/release/bench/$name" ] || { echo "== $name: not built, see what CMake found" >&2; continue; }
  echo "== $name${ranks:+ on $ranks ranks}"
  if [ -n "$ranks" ]; then
    tools/mpirun.sh -n "$ranks" "build/release/bench/$name"
  else
    "build/release/bench/$name"
  fi | tee "build/bench/$name.csv"
done
