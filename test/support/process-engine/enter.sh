#!/bin/sh
# Process 1 of a container of the process engine, in namespaces of its own: mounts what the container may see, makes that
# its root, runs the program as an ordinary user, hands SIGTERM on, and ends as the program does.
#
#   enter.sh CONTAINER ROOT PROGRAM …
#
# Descriptor 3 gets the number of this process as soon as the program runs, 4 becomes the program's standard error; our
# own has what went wrong before.
# PROGRAM lowers its own rights; here it still is root of the namespaces.
set -eu
# This is still the machine's /proc, so this is the number by which the machine knows us.
read -r pid rest < /proc/self/stat
mount --all --fstab "$1/fstab"
ip link set lo up
cd "$2"
pivot_root . mnt
umount --lazy mnt
cd /workspace
shift 2

child=
trap 'kill -TERM "$child" 2>/dev/null || :' TERM
"$@" 2>&4 3>&- 4>&- &
child=$!
echo "$pid" >&3
exec 3>&- 4>&-
# A signal breaks off the wait; what has ended and was not waited for yet is still there to be signalled.
while :; do
  code=0
  wait "$child" || code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done
