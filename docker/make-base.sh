#!/bin/sh
# Makes the default base image as a tar file out of Debian's packages, where no registry can be reached.
#
#   make-base.sh KIT OUT.tar RELEASE [ARCHITECTURE]
#
# KIT: a folder with the files of this one and `node`, `npm.tgz` and `ca.pem`. RELEASE: the name of a release of Debian.
# ARCHITECTURE: Debian's name of it; this machine's if it is absent. For another one the kernel must be able to run its
# programs (binfmt_misc). Needs root, and Debian or Ubuntu.
set -eu
kit=$(cd "$1" && pwd)
out=$2
release=$3
architecture=${4:-}

if [ "$(id -u)" != 0 ]; then
  echo "make-base.sh needs root: it unpacks Debian packages with their owners" >&2
  exit 1
fi
# mmdebstrap uses arch-test to find out whether programs for the architecture run here.
needed="mmdebstrap ${architecture:+arch-test}"
for program in $needed; do
  command -v "$program" >/dev/null && continue
  if ! command -v apt-get >/dev/null; then
    echo "make-base.sh needs $program, which Debian and Ubuntu have as a package" >&2
    exit 1
  fi
  echo "installing $program"
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$program" debian-archive-keyring
done

export KIT="$kit"
# This machine's variables (NODE_OPTIONS of a debugger, npm_config_*) may name files that the image lacks.
export INSIDE="env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root"
# Documentation and translations are left out, as in Debian's own slim images.
mmdebstrap --variant=minbase ${architecture:+"--architectures=$architecture"} \
  --include="$(grep -v '^#' "$kit/packages.txt" | paste -sd, -)" \
  --aptopt='APT::Install-Recommends "false"' \
  --aptopt='Acquire::Retries "3"' \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/info/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --customize-hook='install -D -m 755 "$KIT/node" "$1/usr/local/bin/node"' \
  --customize-hook='mkdir -p "$1/usr/local/lib/node_modules" && tar -C "$1/usr/local/lib/node_modules" --no-same-owner -xzf "$KIT/npm.tgz"' \
  --customize-hook='mkdir -p "$1/tmp/kit" && cp "$KIT/finish.sh" "$KIT/add-ca.sh" "$KIT/ca.pem" "$1/tmp/kit/"' \
  --customize-hook='chroot "$1" $INSIDE sh /tmp/kit/finish.sh' \
  "$release" "$out" ${MIRROR:+"$MIRROR"}
