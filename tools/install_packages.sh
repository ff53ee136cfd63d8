#!/bin/bash
# Install the system packages of the given sections of packages.txt (default: build), only those that
# are missing, and say so. Where there is no apt, say what is needed and leave the rest to CMake.
set -euo pipefail
list="$(dirname "$0")/../packages.txt"
sections="${*:-build}"

wanted=$(awk -v sections="$sections" '
  BEGIN { split(sections, names); for (i in names) n += !take["[" names[i] "]"]++ }
  { sub(/#.*/, "") }
  /^\[/ { on = ($1 in take); seen += on; next }
  on && NF { print $1 }
  END { if (seen != n) { print "packages.txt lacks one of the sections: " sections > "/dev/stderr"; exit 1 } }
' "$list")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not Debian or Ubuntu: please provide the equivalents of these packages yourself;"
  echo "CMake will find them, or say what it misses:"
  echo "  "$wanted
  exit 0
fi

missing=()
for package in $wanted; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "All system packages that are needed ($sections) are installed."
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and neither root nor sudo to install them. Ask for:"
    echo "  apt-get install ${missing[*]}"
    echo "Going on; CMake will say what it cannot find."
    exit 0
  fi
  as_root=(sudo)
fi
echo "Installing missing system packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
