#!/usr/bin/env bash
# Gives an image to both nodes: standard input, as `docker save` writes it.
set -euo pipefail
. "$(dirname "$0")/env.sh"
file=$(mktemp)
trap 'rm -f "$file"' EXIT
cat > "$file"
for n in 1 2; do "$HERE/node.sh" load $n < "$file" >/dev/null; done
