#!/bin/bash
# Runs setup, build and tests in a root of its own that holds a minimal Debian 12, Swift's documented dependencies
# and nothing else: whatever was installed by hand on this machine, and is missing from `make setup`, shows.
#
# usage: test-fresh.sh [FOLDER]       needs root; FOLDER (default /var/tmp/liveness-fresh) is made anew
set -eu -o pipefail

root=${1:-/var/tmp/liveness-fresh}
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
here=$(git rev-parse --show-toplevel)
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 '/debian$' \
    || echo http://deb.debian.org/debian)
# https://www.swift.org/install/linux/tarball/, Debian 12
swift_needs=binutils,libc6-dev,libcurl4-openssl-dev,libedit-dev,libgcc-12-dev,libncurses-dev,libpython3-dev
swift_needs+=,libsqlite3-dev,libstdc++-12-dev,libxml2-dev,tzdata,zlib1g-dev

if [ "$(id -u)" != 0 ]; then
    echo "test-fresh: needs root for debootstrap and chroot" >&2
    exit 1
fi
command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap

echo "test-fresh: minimal Debian 12 in $root"
rm -rf --one-file-system "$root"
debootstrap --variant=minbase --include="make,git,ca-certificates,$swift_needs" bookworm "$root" "$mirror" \
    >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$root$file"; done
for list in /etc/apt/sources.list.d/debian.sources; do [ ! -f "$list" ] || {
    cp "$list" "$root$list"
    : >"$root/etc/apt/sources.list"
}; done
git clone --quiet --no-hardlinks "$here" "$root/root/liveness-kiosk"
mkdir -p "$root$toolchain"

# A mount namespace of its own: the mounts go with it, also when this script is killed.
exec unshare --mount --pid --fork --kill-child bash -eu -c '
    root=$1 toolchain=$2
    mount --make-rprivate /
    mount --rbind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount --rbind -o ro /sys "$root/sys"
    mount --bind "$toolchain" "$root$toolchain"
    mount -o remount,bind,ro "$root$toolchain"
    mount --bind /etc/ssl/certs "$root/etc/ssl/certs"
    exec chroot "$root" env -i HOME=/root TERM=dumb LANG=C.UTF-8 \
        PATH="$toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt LIVENESS_FRESH=1 \
        make -C /root/liveness-kiosk test
' test-fresh "$root" "$toolchain"
