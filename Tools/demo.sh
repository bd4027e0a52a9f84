#!/bin/bash
# Shows the whole job on this machine: a synthetic person in a camera's place, the daemon and a client as two
# processes, and a verdict with its two stills and its clip, which are then looked at.
#
# usage: demo.sh BIN OUT MODEL       the programs' folder, where results go, dlib's model
set -eu -o pipefail

bin=$1
out=$2
model=$3
socket=$out/livenessd.sock

mkdir -p "$out"
printf '[tracking]\nmodel = "%s"\n' "$model" >"$out/liveness.toml"

echo "demo: drawing a synthetic person (no camera is needed)"
"$bin/synthetic-face" "$out/person.mp4"

echo "demo: starting livenessd-replay, the daemon with that video in the camera's place"
"$bin/livenessd-replay" "$out/person.mp4" --loop --socket "$socket" --settings "$out/liveness.toml" 2>"$out/daemon.log" &
daemon=$!
trap 'kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true' EXIT
for _ in $(seq 100); do
    [ -S "$socket" ] && break
    sleep 0.1
done
[ -S "$socket" ] || { cat "$out/daemon.log" >&2; exit 1; }

echo "demo: a scan, as livenessctl shows it"
"$bin/livenessctl" scan --socket "$socket" --settings "$out/liveness.toml" --out "$out" | tee "$out/scan.txt"

echo "demo: looking at what it gave"
for still in autoshot snapshot; do
    # A still is a video of one picture: the trace tells whether dlib finds the face in it.
    "$bin/livenessctl" replay "$out/$still.jpg" --settings "$out/liveness.toml" --trace "$out/$still.csv" >/dev/null || true
    grep -q '^[0-9.]*,1,' "$out/$still.csv" || { echo "demo: no face in $still.jpg" >&2; exit 1; }
    echo "  $still.jpg: dlib finds the face"
done
python3 Tools/play_in_browser.py "$out/clip.mp4"

grep -q '^completed' "$out/scan.txt"
echo "demo: the daemon's log is $out/daemon.log; the media are"
echo "  $out/autoshot.jpg"
echo "  $out/snapshot.jpg"
echo "  $out/clip.mp4"
echo completed
