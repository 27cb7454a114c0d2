#!/bin/sh
# The beginning of process 1 of a container of the process engine, in namespaces of its own: mounts what the container
# may see, makes that its root, and becomes the program.
#
#   enter.sh CONTAINER ROOT PROGRAM …
#
# Descriptor 3 gets the number of this process once everything is in place, 4 becomes the program's standard error; our
# own gets errors before that. PROGRAM lowers its own rights: here it is still root of the namespaces.
set -eu
# Still the machine's /proc, so this is our number on the machine.
read -r pid rest < /proc/self/stat
mount --all --fstab "$1/fstab"
ip link set lo up
cd "$2"
pivot_root . mnt
umount --lazy mnt
cd /workspace
shift 2
echo "$pid" >&3
exec "$@" 2>&4 3>&- 4>&-
