#!/bin/bash
# run.sh CMAKE BUILD_TREE CXX: install the build tree into itself; build and run the consumer against what was
# installed, once through cairnConfig.cmake and once through cairn.pc.
set -euo pipefail
cmake=$1 tree=$2 cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$tree/install-test
rm -rf "$work"

"$cmake" --install "$tree" --prefix "$work/prefix" >"$work.log" || { cat "$work.log"; exit 1; }
for header in "$here"/../../include/cairn/*; do
  [ -e "$work/prefix/include/cairn/$(basename "$header")" ] || { echo "not installed: $header"; exit 1; }
done
if grep -q 'cairn_HAS_MPI ON' "$(find "$work/prefix" -name cairnConfig.cmake)"; then
  with_mpi=1
  for library in libcairn_scalapack.so libcairn_scalapack_wrap.a; do
    [ -n "$(find "$work/prefix" -name "$library")" ] || { echo "not installed: $library"; exit 1; }
  done
  LD_PRELOAD=$(find "$work/prefix" -name libcairn_scalapack.so) "$(type -P true)"  # finds the library beside it
fi

echo "== find_package(cairn)"
"$cmake" -S "$here" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx"
"$cmake" --build "$work/consumer"
"$work/consumer/consumer"
if [ "${with_mpi:-}" ]; then "$work/consumer/consumer_mpi"; fi

echo "== pkg-config cairn"
pc=$(find "$work/prefix" -name cairn.pc)
export PKG_CONFIG_PATH=$(dirname "$pc")
libdir=$(pkg-config --variable=libdir cairn)
# shellcheck disable=SC2046
"$cxx" -std=c++20 "$here/consumer.cpp" $(pkg-config --cflags --libs cairn) -Wl,-rpath,"$libdir" -o "$work/consumer_pc"
"$work/consumer_pc"
