#!/bin/bash
# Runs the built programs on a real kernel's uvcvideo and vivid drivers, in a virtual machine: what a camera delivers,
# and what happens when it is pulled out, held by another program, forbidden or silent. The machine's processor
# is emulated, and far too slow in floating point to judge frames at their rate: whole scans are not tested here.
#
# usage: test-vm.sh BIN OUT MODEL       Debian's kernel is fetched once, into .cache/vm
set -eu -o pipefail

if [ "$(id -u)" != 0 ]; then
    echo "SKIPPED test-vm: needs root to unpack a kernel and boot it on this machine's files"
    exit 0
fi
bin=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
out=$(realpath "$2")
model=$3
export VCAM_CACHE=$PWD/.cache/vm
mkdir -p "$VCAM_CACHE"
passed=0
failed=0
"$bin/synthetic-face" "$out/person.mp4" --seconds 12 --lively

# check NAME OPTIONS SETTINGS PATTERN...: runs a scenario; every pattern must stand in what it printed
check() {
    local name=$1 options=$2 settings=$3 pattern
    shift 3
    # shellcheck disable=SC2086 # the options are words
    Tools/vm/run-in-vm.sh -t 200 -w "$out" $options env "LIVENESS_MODEL=$model" "$PWD/Tools/vm/scenario.sh" \
        "$bin" "$out" "$name" "$settings" >"$out/$name.txt" 2>"$out/$name.err" || true
    for pattern in "$@"; do
        grep -qE "$pattern" "$out/$name.txt" && continue
        echo "  FAILED $name: no $pattern"
        tail -n 5 "$out/$name.txt" "$out/$name.err" "$out/$name.log" 2>/dev/null | cut -c1-200 | sed 's/^/    /'
        failed=$((failed + 1))
        return
    done
    passed=$((passed + 1))
    echo "  $name: as expected"
}

person="-f $out/person.mp4"
check rate-mjpg "$person -m mjpeg:640x480@30" "" '"source":"camera"' 'frames_a_second":(2[7-9]|3[0-3])}'
check rate-yuyv "$person -m yuyv:640x480@15" "" '"source":"camera"' 'frames_a_second":1[3-7]}'
check unplug "$person" "" '"reason":"camera_lost"' 'ended_after_ms":[0-9]{1,4}}' '"node":"/dev/video1"|"phase":"framing"'
check busy "$person" "" '"reason":"camera_busy"'
check denied "$person" "" '"reason":"camera_denied"'
check stall "$person" "" '"reason":"camera_lost"'
check vivid "-c vivid" "" '"reason":"virtual_camera"'
check vivid-allowed "-c vivid" $'[camera]\nallow_virtual = true' '"source":"virtual"' '"phase":"settling"'
echo "test-vm: $passed scenarios passed, $failed failed"
[ "$failed" = 0 ]
