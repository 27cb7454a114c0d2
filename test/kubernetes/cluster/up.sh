#!/usr/bin/env bash
# Starts the control plane and both nodes, and a namespace for sandboxes with restricted pod security.
set -euo pipefail
. "$(dirname "$0")/env.sh"
"$HERE/down.sh" >/dev/null 2>&1
rm -rf "$ROOT/cp"
"$HERE/pki.sh"
"$HERE/net.sh" up
"$HERE/control-plane.sh" up
for n in 1 2; do "$HERE/node.sh" up $n >/dev/null 2>&1; done
for n in 1 2; do
  for _ in $(seq 300); do
    ready=$(kubectl get node node$n -o jsonpath='{.status.conditions[?(@.type=="Ready")].status}' 2>/dev/null || true)
    [ "$ready" = True ] && break
    sleep 0.2
  done
done
kubectl apply -f - <<'Y'
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: no-network}
handler: nonet
---
apiVersion: v1
kind: Namespace
metadata: {name: beadloom, labels: {pod-security.kubernetes.io/enforce: restricted}}
Y
kubectl -n beadloom create secret docker-registry registry --docker-server="127.0.0.1:$REGISTRY_PORT" \
  --docker-username=beadloom --docker-password=for-tests
for _ in $(seq 100); do kubectl -n beadloom get serviceaccount default >/dev/null 2>&1 && exit 0; sleep 0.1; done
echo 'the namespace has no service account' >&2
exit 1
