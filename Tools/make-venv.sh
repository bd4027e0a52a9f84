#!/bin/sh
# Makes a Python environment with exactly the packages of a list; skips when it was made from the same list.
#
# usage: make-venv.sh FOLDER LIST
set -eu

folder=$1
list=$2
made="$folder/made-from.txt"
if [ -f "$made" ] && cmp -s "$list" "$made" && "$folder/bin/python" -c pass 2>/dev/null; then
    echo "python: $folder is there"
    exit 0
fi
echo "python: making $folder"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
/usr/bin/python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$list"
cp "$list" "$made"
