#!/usr/bin/env bash
# Keys and certificates for thirty days, made anew when the cluster starts.
set -euo pipefail
. "$(dirname "$0")/env.sh"
rm -rf "$ROOT/pki"
mkdir -p "$ROOT/pki"
cd "$ROOT/pki"
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; }
key ca
openssl req -x509 -new -key ca.key -subj /CN=test-ca -days 30 -out ca.crt \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
certificate() { # name subject more
  key "$1"
  openssl req -new -key "$1.key" -subj "$2" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -out "$1.crt" \
    -extfile <(printf 'keyUsage=digitalSignature\nextendedKeyUsage=clientAuth,serverAuth\n%s\n' "${3:-}") 2>/dev/null
}
certificate apiserver /CN=kube-apiserver \
  "subjectAltName=IP:$HOST_IP,IP:127.0.0.1,IP:10.252.0.1,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:localhost"
certificate apiserver-kubelet "/O=system:masters/CN=kube-apiserver-kubelet-client"
certificate admin "/O=system:masters/CN=admin"
certificate kcm "/CN=system:kube-controller-manager"
certificate scheduler "/CN=system:kube-scheduler"
# A person without any right.
certificate nobody "/CN=nobody"
for n in 1 2; do
  certificate "node$n" "/O=system:nodes/CN=system:node:node$n" "subjectAltName=IP:$(node_ip $n),DNS:node$n"
done
openssl genrsa -out sa.key 2048 2>/dev/null
openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
for who in kcm scheduler node1 node2 admin nobody; do
  cat > "$who.conf" <<Y
apiVersion: v1
kind: Config
clusters: [{name: t, cluster: {server: "https://$HOST_IP:6443", certificate-authority: $ROOT/pki/ca.crt}}]
users: [{name: u, user: {client-certificate: $ROOT/pki/$who.crt, client-key: $ROOT/pki/$who.key}}]
contexts: [{name: c, context: {cluster: t, user: u, namespace: default}}]
current-context: c
Y
done
