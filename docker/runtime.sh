#!/bin/sh
# Prepares any Linux image for Beadloom: the agent's user and folders, the host's certificates, and proof that it can
# run an agent at all, so that an unfit image fails here, with a reason, and not in the middle of a bead.
set -eu

fail() {
  echo "$1" >&2
  exit 1
}

/opt/beadloom/bin/node --version >/dev/null || fail \
  "This image cannot run Beadloom's Node runtime. It needs glibc 2.28 or later and libstdc++ (Debian, Ubuntu, Fedora and their like; not Alpine)."
command -v git >/dev/null || fail "This image has no git. Add it in the project's dockerfile."

grep -q '^[^:]*:[^:]*:1000:' /etc/group || echo 'agent:x:1000:' >> /etc/group
grep -q '^[^:]*:[^:]*:1000:' /etc/passwd || echo 'agent:x:1000:1000:agent:/home/agent:/bin/sh' >> /etc/passwd

mkdir -p /workspace /home/agent /run/beadloom /var/lib/beadloom
chown -R 1000:1000 /workspace /home/agent /var/lib/beadloom
chmod 755 /workspace
chmod 700 /home/agent /var/lib/beadloom

# A shell that may be run but not read: the kernel lets no process of the same user look into its processes.
cp /bin/sh /opt/beadloom/bin/sh
chmod 711 /opt/beadloom/bin/sh

# Hides files that an engine puts into every container and lets everybody write.
mkdir -p /opt/beadloom/closed
chmod 700 /opt/beadloom/closed

sh /opt/beadloom/setup/add-ca.sh /opt/beadloom/setup/ca.pem /opt/beadloom/ca-certificates.crt
rm -rf /opt/beadloom/setup
