#!/bin/bash
# Runs inside the virtual machine: the daemon with the kernel's camera, then one scenario. Events go to the output.
#
# usage: scenario.sh BIN WORK NAME SETTINGS       with LIVENESS_MODEL
set -u

bin=$1 work=$2 name=$3
socket=/run/livenessd.sock
printf '[tracking]\nmodel = "%s"\n%s\n' "$LIVENESS_MODEL" "$4" >/run/liveness.toml
ctl() { "$bin/livenessctl" "$@" --socket $socket; }
scan() { ctl scan --json --out "/run/$name"; }
# Runs a scan for so many seconds, or to its end.
scan_for() {
    # Not by the function: killing a subshell would leave its program running.
    "$bin/livenessctl" scan --json --out "/run/$name" --socket $socket &
    local client=$!
    sleep "$1"
    kill $client 2>/dev/null
    wait $client
}

# The simulated camera does not always come back from being suspended while the model is read.
for control in /sys/bus/usb/devices/*/power/control; do echo on >"$control" 2>/dev/null; done

"$bin/livenessd" --socket $socket --settings /run/liveness.toml 2>"$work/$name.log" &
# The processor is emulated and its floating point slow: the model takes half a minute.
for _ in $(seq 900); do
    ctl status 2>/dev/null | grep -q '^model    read' && break
    sleep 0.1
done

case $name in
unplug)
    scan &
    client=$!
    sleep 2
    began=$(date +%s%N)
    echo unplug >/run/cam
    wait $client
    echo "{\"ended_after_ms\":$((($(date +%s%N) - began) / 1000000))}"
    # Held open, the old node would keep its number: the camera comes back under another one.
    echo plug 1 >/run/cam
    for _ in $(seq 50); do ls /dev/video* >/dev/null 2>&1 && break; sleep 0.1; done
    sleep 1
    scan_for 10
    ;;
busy)
    v4l2-ctl -d0 --stream-mmap --stream-count=600 >/dev/null 2>&1 &
    sleep 1
    scan
    ;;
denied)
    chmod 600 /dev/video*
    kill %1
    wait %1
    # Nobody but root may open the nodes now.
    setpriv --reuid=65534 --regid=65534 --clear-groups "$bin/livenessd" --socket /tmp/denied.sock \
        --settings /run/liveness.toml 2>"$work/$name-2.log" &
    sleep 2
    "$bin/livenessctl" cameras --socket /tmp/denied.sock
    "$bin/livenessctl" scan --json --socket /tmp/denied.sock --out /run/denied 2>&1
    ;;
stall)
    (sleep 2; echo stall >/run/cam) &
    scan
    ;;
rate-*)
    # The scan times out: the processor is too slow to judge more than a frame in two seconds.
    scan
    sed -n 's/.*ms=\([0-9]*\) frames=\([0-9]*\) dropped=\([0-9]*\) .*/\1 \2 \3/p' "$work/$name.log" |
        awk '{ printf "{\"frames_a_second\":%d}\n", ($2 + $3) * 1000 / $1 }'
    ;;
*) scan_for 10 ;;
esac
