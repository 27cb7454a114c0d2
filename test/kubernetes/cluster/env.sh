# Sourced by the others. Everything made lies in $ROOT, outside of any checkout.
ROOT=${KUBERNETES_ROOT:?names the folder for all that is made}
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
VERSION=1.37.2
BIN=$ROOT/bin
DEB=$ROOT/deb/root
HOST_IP=10.250.0.1
SERVICE_IP=10.252.0.1
# The port of the tests' image registry, which Docker knows as 127.0.0.1.
REGISTRY_PORT=${REGISTRY_PORT:-45080}
node_ip() { echo "10.250.0.1$1"; }
pod_cidr() { echo "10.251.$1.0/24"; }
export KUBECONFIG=$ROOT/pki/admin.conf
export PATH=$BIN:$DEB/usr/sbin:$DEB/usr/bin:$PATH
export LD_LIBRARY_PATH=$DEB/usr/lib/x86_64-linux-gnu
