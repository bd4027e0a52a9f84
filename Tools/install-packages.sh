#!/bin/sh
# Installs the Debian packages that are missing.
#
# usage: install-packages.sh SUDO PACKAGE...      SUDO is empty for root
set -eu

sudo=$1
shift
missing=""
for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "packages: all $# are installed"
    exit 0
fi
echo "packages: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # words are wanted
if ! { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    $missing; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
