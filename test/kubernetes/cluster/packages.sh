#!/usr/bin/env bash
# Fetches the network plugins of pods, and builds the image of each pod's first container. containerd and runc are here
# already.
set -euo pipefail
. "$(dirname "$0")/env.sh"
mkdir -p "$DEB" "$ROOT/images"
cd "$ROOT/deb"
apt-get download -q containernetworking-plugins
for d in containernetworking-plugins*.deb; do dpkg -x "$d" root; done
cd "$ROOT/images"
gcc -Os -static -DVERSION=3.10 -o pause "$ROOT/build/pause.c"
strip pause
# As `docker save` writes them.
mkdir -p layer
tar --owner=0 --group=0 --mtime=@0 -cf layer/layer.tar pause
digest=$(sha256sum layer/layer.tar | cut -d' ' -f1)
echo "{\"architecture\":\"amd64\",\"os\":\"linux\",\"config\":{\"Entrypoint\":[\"/pause\"]},\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"sha256:$digest\"]}}" > config.json
echo '[{"Config":"config.json","RepoTags":["registry.k8s.io/pause:3.10"],"Layers":["layer/layer.tar"]}]' > manifest.json
tar -cf pause.tar config.json manifest.json layer/layer.tar
