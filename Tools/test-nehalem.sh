#!/bin/bash
# Replays a whole scan, more than 60 frames, on an emulated Nehalem, the oldest processor of x86-64-v2 (no AVX), and compares the events with
# those of this machine's processor.
#
# usage: test-nehalem.sh BIN MODEL
set -eu -o pipefail

bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '[tracking]\nmodel = "%s"\n' "$2" >"$work/liveness.toml"
"$bin/synthetic-face" "$work/person.mp4" --seconds 6
replay=("$bin/livenessctl" replay "$work/person.mp4" --json --seed 1 --settings "$work/liveness.toml")
"${replay[@]}" --trace "$work/native.csv" >"$work/native.json" || true
# An illegal instruction ends the emulator with status 132.
qemu-x86_64 -cpu Nehalem "${replay[@]}" --trace "$work/nehalem.csv" >"$work/nehalem.json" || [ $? = 1 ]
diff "$work/native.json" "$work/nehalem.json"
diff "$work/native.csv" "$work/nehalem.csv"
frames=$(($(wc -l <"$work/nehalem.csv") - 1))
echo "nehalem: $frames frames, $(wc -l <"$work/nehalem.json") events, the same as on this processor"
