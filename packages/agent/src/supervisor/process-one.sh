#!/bin/sh
# Process 1 of a sandbox: process-one.sh NODE [FLAG...] SUPERVISOR [ARGUMENT...]
#
# It does what Node cannot: it reaps whatever is orphaned in the sandbox (Node waits for its own children alone, and the
# dead ones of others would use up the container's processes), and nobody in the sandbox can kill or stop it, because the
# kernel drops such signals for process 1. A supervisor that somebody in here has killed is started again; it ends the
# session and says so. The last argument that it gets is how often it was started.
starts=0
child=

# Shells handle these themselves, and what process 1 handles can be sent to it from inside. Node resets them for itself.
trap '' HUP INT QUIT PIPE ALRM USR1 USR2
# `docker stop`. Not passed on as SIGTERM: programs in here send that to everything that they take for theirs.
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
  # In order, or by a stop that was asked for.
  if test "$code" = 0 || test "$code" = 143; then exit "$code"; fi
  echo "The supervisor ended with exit code $code, which no session should be able to bring about by accident." >&2
done
echo "The supervisor was killed $starts times, so this container ends." >&2
exit 70
