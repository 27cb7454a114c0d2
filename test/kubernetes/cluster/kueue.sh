#!/usr/bin/env bash
# kueue.sh build | up | down
# The real Kueue for plain pods, as a process beside the API server: a queue `beads` in the namespace of sandboxes, with a
# quota of one pod. `build` takes 20 minutes of two busy cores; without it the cluster has no Kueue.
set -euo pipefail
. "$(dirname "$0")/env.sh"
KUEUE=0.17.0
SUM='h1:7hzb38M4eKGzYW+CFv2s1L+swzzacUCHOCXxZmAV90I='
D=$ROOT/kueue
METRICS=/etc/kueue/metrics/certs # it looks here for its own certificate, whatever its settings say
build() {
  export GOMODCACHE=$ROOT/gomod GOCACHE=$ROOT/gocache CGO_ENABLED=0 GOFLAGS="-buildvcs=false -p=2"
  found=$(cd /tmp && go mod download -json "sigs.k8s.io/kueue@v$KUEUE")
  grep -qF "\"Sum\": \"$SUM\"" <<<"$found"
  rm -rf "$D"
  mkdir -p "$D"
  cp -r "$GOMODCACHE/sigs.k8s.io/kueue@v$KUEUE" "$D/src"
  chmod -R u+w "$D/src"
  (cd "$D/src" && nice -n 19 go build -trimpath -ldflags '-s -w' -o "$D/part" ./cmd/kueue)
  cp -r "$D/src/config/components/crd/bases" "$D/crd"
  mv "$D/part" "$BIN/kueue"
  rm -rf "$D/src"
  chmod -R u+w "$GOMODCACHE" && rm -rf "$GOMODCACHE" "$GOCACHE"
}
# webhook NAME PATH GROUP VERSION RESOURCES OPERATIONS
webhook() {
  cat <<Y
  - name: $1
    clientConfig: {url: "https://$HOST_IP:9443$2", caBundle: $(base64 -w0 "$D/certs/tls.crt")}
    rules: [{apiGroups: ["$3"], apiVersions: ["$4"], resources: [$5], operations: [$6]}]
    failurePolicy: Fail
    sideEffects: None
    admissionReviewVersions: [v1]
    namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, kueue-system]}]}
Y
}
webhooks() {
  local at=kueue.x-k8s.io
  for kind in Mutating Validating; do
    printf -- '---\napiVersion: admissionregistration.k8s.io/v1\nkind: %sWebhookConfiguration\nmetadata: {name: kueue}\nwebhooks:\n' $kind
    local verb=mutate when=CREATE
    [ $kind = Mutating ] || { verb=validate; when=CREATE,UPDATE; }
    webhook $verb-pod.kb.io "/$verb--v1-pod" '' v1 pods $when
    webhook $verb-queue.kb.io "/$verb-kueue-x-k8s-io-v1beta2-clusterqueue" $at v1beta2 clusterqueues $when
    webhook $verb-workload.kb.io "/$verb-kueue-x-k8s-io-v1beta2-workload" $at v1beta2 workloads $when
  done
}
queues() {
  cat <<'Y'
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: any}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: beads}
spec:
  namespaceSelector: {}
  resourceGroups:
    - coveredResources: [pods, cpu, memory]
      flavors:
        - name: any
          resources: [{name: pods, nominalQuota: "1"}, {name: cpu, nominalQuota: "100"}, {name: memory, nominalQuota: 100Gi}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: beads, namespace: beadloom}
spec: {clusterQueue: beads}
Y
}
up() {
  mkdir -p "$D/certs" $METRICS
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$D/certs/tls.key" -out "$D/certs/tls.crt" -days 30 -subj /CN=kueue \
    -addext "subjectAltName=IP:$HOST_IP" >/dev/null 2>&1
  cp "$D"/certs/tls.* $METRICS/
  cat >"$D/config.yaml" <<Y
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: kueue-system
health: {healthProbeBindAddress: "127.0.0.1:18081"}
metrics: {bindAddress: "0"}
webhook: {host: $HOST_IP, port: 9443, certDir: $D/certs}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
integrations: {frameworks: [pod]}
Y
  kubectl create namespace kueue-system
  kubectl apply --server-side -f "$D/crd"
  # A new CRD has no conditions yet, so kubectl fails instead of waiting.
  for _ in $(seq 60); do
    kubectl wait --for=condition=Established crd --all --timeout=60s && break
    sleep 0.5
  done
  setsid nice -n 5 "$BIN/kueue" --feature-gates=VisibilityOnDemand=false --config "$D/config.yaml" \
    --kubeconfig "$KUBECONFIG" >"$ROOT/logs/kueue.log" 2>&1 </dev/null &
  echo $! >"$ROOT/run/kueue.pid"
  for _ in $(seq 120); do
    curl -sf http://127.0.0.1:18081/readyz >/dev/null && break
    sleep 0.5
    kill -0 "$(cat "$ROOT/run/kueue.pid")"
  done
  webhooks | kubectl apply -f -
  for _ in $(seq 60); do # its webhooks answer a moment later
    queues | kubectl apply -f - && return
    sleep 0.5
  done
  return 1
}
down() {
  [ -e "$ROOT/run/kueue.pid" ] || return 0
  kill "$(cat "$ROOT/run/kueue.pid")" 2>/dev/null || true
  rm -rf "$ROOT/run/kueue.pid" /etc/kueue
}
"$1"
