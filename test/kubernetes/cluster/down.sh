#!/usr/bin/env bash
# Ends everything that up.sh has started. What the nodes have pulled stays.
. "$(dirname "$0")/env.sh"
for n in 1 2; do [ -e "$ROOT/run/containerd$n.pid" ] && "$HERE/node.sh" down $n; done
"$HERE/control-plane.sh" down
"$HERE/net.sh" down
true
