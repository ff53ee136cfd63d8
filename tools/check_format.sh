#!/bin/bash
# tools/check_format.sh FILE ...: name the files that clang-format would change.
set -euo pipefail
if ! command -v clang-format >/dev/null; then
  echo "format: not checked, clang-format is not installed (tools/install_packages.sh check)"
  exit 0
fi
[ $# -gt 0 ] || { echo "format: no files given, and none found: not a Git checkout?"; exit 1; }
changed=0
for file in "$@"; do
  if [ ! -e "$file" ]; then
    echo "$file: no such file"
    changed=$((changed + 1))
  elif ! clang-format --dry-run -Werror "$file" 2>/dev/null; then
    echo "$file: not as clang-format has it"
    changed=$((changed + 1))
  fi
done
echo "format: $# files, $changed to be changed by 'make format'"
[ $changed -eq 0 ]
