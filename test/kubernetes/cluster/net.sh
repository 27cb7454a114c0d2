#!/usr/bin/env bash
# net.sh up | down | cut N | mend N: a bridge in a network namespace of its own, with one leg to the host and one to each
# node. `cut` pulls the cable of a node.
set -euo pipefail
. "$(dirname "$0")/env.sh"
case $1 in
up)
  ip netns add k8slan
  lan="ip -n k8slan"
  $lan link set lo up
  $lan link add br0 type bridge
  $lan link set br0 up
  ip link add k8s-host type veth peer name h0 netns k8slan
  ip addr add $HOST_IP/24 dev k8s-host
  ip link set k8s-host up
  $lan link set h0 master br0 up
  for n in 1 2; do
    ip netns add "k8snode$n"
    ip link add "n$n" netns k8slan type veth peer name eth0 netns "k8snode$n"
    $lan link set "n$n" master br0 up
    node="ip -n k8snode$n"
    $node link set lo up
    $node addr add "$(node_ip $n)/24" dev eth0
    $node link set eth0 up
    for m in 1 2; do [ $m = $n ] || $node route add "$(pod_cidr $m)" via "$(node_ip $m)"; done
    # Pods with a network reach the host, also by the cluster's address of the API server.
    $node route add "$SERVICE_IP/32" via $HOST_IP
    ip route add "$(pod_cidr $n)" via "$(node_ip $n)"
  done
  ip addr add "$SERVICE_IP/32" dev k8s-host;;
cut) ip -n k8slan link set "n$2" down;;
mend) ip -n k8slan link set "n$2" up;;
down)
  for n in 1 2; do ip netns del "k8snode$n" 2>/dev/null || true; done
  ip netns del k8slan 2>/dev/null || true
  ip link del k8s-host 2>/dev/null || true;;
esac
