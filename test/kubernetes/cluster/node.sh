#!/usr/bin/env bash
# node.sh up N | down N | load N <TAR | images N | kill-kubelet N | kubelet N | kill N CONTAINER | exec N CMD...
# A node: containerd and a kubelet in a mount namespace and in the network namespace k8snodeN, with all state in
# $ROOT/nodeN.
set -euo pipefail
. "$(dirname "$0")/env.sh"
n=$2; D=$ROOT/node$n; R=$ROOT/run; CG=k8s-node$n
inner() {
  mount --make-rslave /; mount --make-shared / 2>/dev/null || { mount --bind / / ; mount --make-rshared /; }
  mount --make-rshared /
  mkdir -p $D/{containerd,state,kubelet,varlog,cni,sys}
  mount -t tmpfs tmpfs /run/netns; mount --make-shared /run/netns
  mkdir -p /run/containerd; mount -t tmpfs tmpfs /run/containerd
  mount -t tmpfs tmpfs /var/lib; mkdir -p /var/lib/kubelet /var/lib/cni
  mount --bind $D/kubelet /var/lib/kubelet; mount --make-shared /var/lib/kubelet
  mount --bind $D/varlog /var/log
  # The kubelet wants to set these for the whole machine; let it see them as set.
  for kv in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    f=$D/sys/$(echo ${kv%=*} | tr / .); echo ${kv#*=} > $f; mount --bind $f /proc/sys/${kv%=*}
  done
  # cgroup v1: the node's own root in every hierarchy
  for c in cpu cpuacct cpuset memory devices freezer blkio pids systemd; do
    [ -d /sys/fs/cgroup/$c ] || continue; mkdir -p /sys/fs/cgroup/$c/$CG
    [ $c = cpuset ] && for k in cpuset.cpus cpuset.mems; do cat /sys/fs/cgroup/cpuset/$k > /sys/fs/cgroup/cpuset/$CG/$k; done
  done
  cat > $D/containerd.toml <<T
version = 2
root = "$D/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs","io.containerd.snapshotter.v1.btrfs","io.containerd.snapshotter.v1.devmapper","io.containerd.snapshotter.v1.zfs","io.containerd.internal.v1.opt","io.containerd.tracing.processor.v1.otlp"]
[grpc]
  address = "$D/c.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
    # RuntimeClass no-network: pods whose only interface is a private macvlan on a veth that leads nowhere (no dummy links in this kernel)
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nonet]
      runtime_type = "io.containerd.runc.v2"
      cni_conf_dir = "$D/cni-nonet"
      cni_max_conf_num = 1
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nonet.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".registry.mirrors."127.0.0.1:$REGISTRY_PORT"]
    endpoint = ["http://$HOST_IP:$REGISTRY_PORT"]
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$DEB/usr/lib/cni"
    conf_dir = "$D/cni"
T
  cat > $D/cni/10-bridge.conflist <<T
{"cniVersion":"0.4.0","name":"pods","plugins":[
 {"type":"bridge","bridge":"cni0","isGateway":true,"ipMasq":false,"hairpinMode":true,
  "ipam":{"type":"host-local","dataDir":"/var/lib/cni/networks","ranges":[[{"subnet":"$(pod_cidr $n)"}]],"routes":[{"dst":"0.0.0.0/0"}]}},
 {"type":"portmap","capabilities":{"portMappings":true}}]}
T
  mkdir -p $D/cni-nonet; if ip link add void0 type veth peer name void0p 2>/dev/null; then for i in void0 void0p; do echo 1 > /proc/sys/net/ipv6/conf/$i/disable_ipv6; ip link set $i up; done; fi
  cat > $D/cni-nonet/10-nonet.conflist <<T
{"cniVersion":"0.4.0","name":"nonet","plugins":[
 {"type":"macvlan","master":"void0","mode":"private","ipam":{"type":"host-local","dataDir":"/var/lib/cni/networks","ranges":[[{"subnet":"169.254.$n.0/24"}]],"routes":[]}}]}
T
  echo "nameserver 127.0.0.1" > $D/resolv.conf
  cat > $D/kubelet.yaml <<T
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupRoot: /$CG
cgroupsPerQOS: true
enforceNodeAllocatable: [pods]
systemReserved: {cpu: 100m, memory: $(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) - 6 * 1024 * 1024))Ki}
containerRuntimeEndpoint: unix://$D/c.sock
address: $(node_ip $n)
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $ROOT/pki/ca.crt}}
authorization: {mode: Webhook}
tlsCertFile: $ROOT/pki/node$n.crt
tlsPrivateKeyFile: $ROOT/pki/node$n.key
resolvConf: $D/resolv.conf
clusterDomain: cluster.local
failSwapOn: false
oomScoreAdj: 0
maxOpenFiles: 20000
maxPods: 40
podPidsLimit: 512
seccompDefault: true
# In bytes: the disk is the whole machine's, and a part of its size may be much.
evictionHard: {memory.available: 200Mi, nodefs.available: 1Gi, imagefs.available: 1Gi, nodefs.inodesFree: "1%"}
imageGCHighThresholdPercent: 100
imageMaximumGCAge: 0s
nodeStatusUpdateFrequency: 5s
shutdownGracePeriod: 0s
containerLogMaxSize: 50Mi
T
  setsid nice -n 5 containerd -c $D/containerd.toml >$ROOT/logs/containerd$n.log 2>&1 </dev/null & echo $! >$R/containerd$n.pid
  for i in $(seq 100); do ctr -a $D/c.sock version >/dev/null 2>&1 && break; sleep 0.2; done
  ctr -a $D/c.sock -n k8s.io images import $ROOT/images/pause.tar
  setsid nice -n 5 $BIN/kubelet --config $D/kubelet.yaml --kubeconfig $ROOT/pki/node$n.conf --root-dir /var/lib/kubelet --hostname-override node$n --node-ip $(node_ip $n) >$ROOT/logs/kubelet$n.log 2>&1 </dev/null & echo $! >$R/kubelet$n.pid
  disown -a
}
case $1 in
up) unshare -m --propagation unchanged nsenter --net=/run/netns/k8snode$n bash $0 inner $n;;
inner) inner;;
kubelet) # start the kubelet again after it was killed
  setsid nsenter -m -n -t $(cat $R/containerd$n.pid) nice -n 5 $BIN/kubelet --config $D/kubelet.yaml --kubeconfig $ROOT/pki/node$n.conf --root-dir /var/lib/kubelet --hostname-override node$n --node-ip $(node_ip $n) >>$ROOT/logs/kubelet$n.log 2>&1 </dev/null & echo $! >$R/kubelet$n.pid;;
images) exec ctr -a $D/c.sock -n k8s.io images list -q;;
load) exec ctr -a $D/c.sock -n k8s.io images import - ;;
kill) exec ctr -a $D/c.sock -n k8s.io tasks kill -s SIGKILL "$3";;
kill-kubelet) kill -9 $(cat $R/kubelet$n.pid);;
exec) shift 2; exec nsenter -m -n -t $(cat $R/containerd$n.pid) "$@";;
down)
  [ -e $R/kubelet$n.pid ] && kill $(cat $R/kubelet$n.pid) 2>/dev/null || true
  # the containers of this node, by their cgroup, and their shims, by the containerd socket in their arguments
  for p in $(find /sys/fs/cgroup/memory/$CG -name cgroup.procs -exec cat {} + 2>/dev/null); do kill -9 $p 2>/dev/null || true; done
  for p in $(pgrep -f "containerd-shim-runc-v2 .*-address $D/c.sock"); do kill -9 $p 2>/dev/null || true; done
  [ -e $R/containerd$n.pid ] && kill $(cat $R/containerd$n.pid) 2>/dev/null || true
  sleep 2
  for c in /sys/fs/cgroup/*/; do find $c$CG -depth -type d -exec rmdir {} + 2>/dev/null || true; done
  rm -f $R/{kubelet,containerd}$n.pid;;
esac
