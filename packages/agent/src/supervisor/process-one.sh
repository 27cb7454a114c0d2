#!/bin/sh
# Process 1 of a sandbox: process-one.sh NODE [FLAG...] SUPERVISOR [ARGUMENT...]
#
# It does what Node cannot. It reaps orphans of the sandbox: Node waits for its own children alone, and the dead ones of
# others would use up the container's processes. And nobody in the sandbox can kill or stop it, because the kernel drops
# such signals for process 1. If somebody in here kills the supervisor, this script starts it again; the supervisor then
# ends the session and says so. The supervisor's last argument is how often it was started.
starts=0
child=

# Shells handle these signals themselves, and process 1 can receive from inside whatever it handles. Node resets them
# for itself.
trap '' HUP INT QUIT PIPE ALRM USR1 USR2
# `docker stop`. Not passed on as SIGTERM: programs in here send SIGTERM to every process that they take for theirs.
trap 'test -z "$child" || kill -s PWR "$child"' TERM

while test "$starts" -lt 20; do
  starts=$((starts + 1))
  "$@" "$starts" &
  child=$!
  while :; do
    wait "$child"
    code=$?
    kill -s 0 "$child" 2>/dev/null || break # else a signal for this process has ended the waiting
  done
  # It ended in order, or by a requested stop.
  if test "$code" = 0 || test "$code" = 143; then exit "$code"; fi
  echo "The supervisor ended with exit code $code, which no session should be able to bring about by accident." >&2
done
echo "The supervisor was killed $starts times, so this container ends." >&2
exit 70
