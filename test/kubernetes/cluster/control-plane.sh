#!/usr/bin/env bash
# control-plane.sh up | down | kill WHICH | start WHICH
set -euo pipefail
. "$(dirname "$0")/env.sh"
P=$ROOT/pki
R=$ROOT/run
mkdir -p "$R" "$ROOT/cp" "$ROOT/logs"
start() {
  local n=$1
  shift
  setsid "$@" >"$ROOT/logs/$n.log" 2>&1 </dev/null &
  echo $! >"$R/$n.pid"
}
etcd() {
  start etcd "$BIN/etcd" --data-dir "$ROOT/cp/etcd" --listen-client-urls http://127.0.0.1:23790 \
    --advertise-client-urls http://127.0.0.1:23790 --listen-peer-urls http://127.0.0.1:23800 \
    --initial-advertise-peer-urls http://127.0.0.1:23800 --initial-cluster default=http://127.0.0.1:23800 \
    --unsafe-no-fsync --log-level warn
}
# Logs the requests of the accounts of the namespace `beads`, and the right that allows each.
audit() {
  cat >"$ROOT/cp/audit.yaml" <<'Y'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - {level: Metadata, userGroups: ["system:serviceaccounts:beads"]}
  - {level: None}
Y
}
kube-apiserver() {
  audit
  start kube-apiserver "$BIN/kube-apiserver" --etcd-servers http://127.0.0.1:23790 --bind-address $HOST_IP \
    --advertise-address $HOST_IP --secure-port 6443 --service-cluster-ip-range 10.252.0.0/24 \
    --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction --allow-privileged=false \
    --client-ca-file "$P/ca.crt" --tls-cert-file "$P/apiserver.crt" --tls-private-key-file "$P/apiserver.key" \
    --kubelet-client-certificate "$P/apiserver-kubelet.crt" --kubelet-client-key "$P/apiserver-kubelet.key" \
    --kubelet-certificate-authority "$P/ca.crt" --service-account-issuer https://kubernetes.default.svc \
    --service-account-key-file "$P/sa.pub" --service-account-signing-key-file "$P/sa.key" \
    --endpoint-reconciler-type none --kubelet-preferred-address-types InternalIP --profiling=false \
    --audit-policy-file "$ROOT/cp/audit.yaml" --audit-log-path "$ROOT/cp/audit.log"
  for _ in $(seq 240); do
    kubectl get --raw /readyz >/dev/null 2>&1 && return
    sleep 0.5
    kill -0 "$(cat "$R/kube-apiserver.pid")"
  done
}
kube-controller-manager() {
  start kube-controller-manager "$BIN/kube-controller-manager" --kubeconfig "$P/kcm.conf" --leader-elect=false \
    --use-service-account-credentials --service-account-private-key-file "$P/sa.key" --root-ca-file "$P/ca.crt" \
    --bind-address 127.0.0.1 --secure-port 0 --profiling=false --node-monitor-grace-period=20s
}
kube-scheduler() {
  start kube-scheduler "$BIN/kube-scheduler" --kubeconfig "$P/scheduler.conf" --leader-elect=false \
    --bind-address 127.0.0.1 --secure-port 0 --profiling=false
}
case $1 in
up)
  etcd
  kube-apiserver
  kube-controller-manager
  kube-scheduler;;
start) "$2";;
kill) kill -9 "$(cat "$R/$2.pid")";;
down) # The API server drains its watches for up to 60 s, so do not wait for it; etcd ends last.
  for n in kube-scheduler kube-controller-manager kube-apiserver etcd; do
    [ -e "$R/$n.pid" ] || continue
    p=$(cat "$R/$n.pid")
    kill "$p" 2>/dev/null || true
    for _ in $(seq 30); do
      kill -0 "$p" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$p" 2>/dev/null || true
    rm -f "$R/$n.pid"
  done;;
esac
