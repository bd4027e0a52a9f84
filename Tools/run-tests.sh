#!/bin/bash
# Runs `swift test` and says in its last lines how many tests ran, failed and were skipped; the whole output is kept.
# A run without tests, or one whose result is not told, fails.
#
# usage: run-tests.sh LOG ARGUMENT...      the arguments are those of `swift test`
set -eu -o pipefail

log=$1
shift
mkdir -p "$(dirname "$log")"
status=0
# What a test measured (a line that begins with "measured:") and what fails is shown as it comes.
swift test --disable-xctest "$@" 2>&1 | tee "$log" | grep --line-buffered -E '^(measured:|✘|↳|[^ ]*error:|.*Sanitizer)' |
    grep --line-buffered -vE '^↳ (T|settling_ms)' || status=${PIPESTATUS[0]}
skipped=$(grep -c '^➜ ' "$log" || true)
summary=$(grep -E 'Test run with [0-9]+ tests?' "$log" | tail -n 1 || true)
grep '^➜ ' "$log" | sed 's/^/  /' || true
echo "tests: ${summary#* }; $skipped skipped (log: $log)"
[ -n "$summary" ] || { tail -n 30 "$log"; exit 1; }
case $summary in *"with 0 tests"*) exit 1 ;; esac
exit "$status"
