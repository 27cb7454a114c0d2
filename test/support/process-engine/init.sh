#!/bin/sh
# Process 1 of a container of the process engine, as the agent's user: runs a program, hands SIGTERM on to it, waits for
# whoever lost their parents, and ends as the program does.
#
#   init.sh PROGRAM …
child=
trap 'kill -TERM "$child" 2>/dev/null || :' TERM
# A shell lets what it starts in the background ignore the keyboard's signals.
env --default-signal "$@" &
child=$!
# A signal breaks off the wait; what has ended and was not waited for yet is still there to be signalled.
while :; do
  code=0
  wait "$child" || code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done
