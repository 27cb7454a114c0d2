#!/bin/sh
# Shows what a program can reach, hold and do where this script runs. It needs a shell and the usual tools, leaves no
# changes, opens a few connections and sends nothing over them. It prints names of variables and files, never their
# content. Run it in any sandbox, as the user of the programs in there (docs/isolation.md):
#
#   sh sandbox-probe.sh
#
# A line is GROUP, WHAT, ANSWER and a detail, with tabs between them. The answer is "yes" (it can), "no" (it cannot), "?"
# (there was no tool to try it with) or "-" (a fact).
export LC_ALL=C

row() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$(printf '%s' "$4" | tr '\t\n' '  ' | sed 's/^ *//' | cut -c 1-300)"; }
has() { command -v "$1" >/dev/null 2>&1; }
# soon SECONDS COMMAND…: ends the command after so many seconds.
soon() { if has timeout; then timeout "$@"; else shift && "$@"; fi; }
# yes if the command succeeds, else no.
tried() { if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi; }
status() { sed -n "s/^$1:[[:space:]]*//p" /proc/self/status 2>/dev/null; }
listed() { tr '\n' ' ' | sed 's/ *$//; s/ /, /g'; }

scratch=$(mktemp -d 2>/dev/null) || scratch=/nonexistent
trap 'rm -rf "$scratch"' EXIT

# open, refused, silent, or ? without a tool. A host that refuses can be reached.
connection() {
  if has bash; then
    said=$(soon 3 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>&1) && echo open && return
    case $said in *refused*) echo refused ;; *) echo silent ;; esac
  elif has python3; then
    soon 5 python3 -c 'import socket,sys
try:
  socket.create_connection((sys.argv[1], int(sys.argv[2])), 3); print("open")
except ConnectionRefusedError: print("refused")
except Exception: print("silent")' "$1" "$2" || echo silent
  elif has nc; then
    if soon 3 nc -z -w 3 "$1" "$2" >/dev/null 2>&1; then echo open; else echo silent; fi
  else
    echo '?'
  fi
}
# Whether anything answers at one of the ports.
reached() {
  name=$1 host=$2 answer=no detail=
  shift 2
  for port; do
    is=$(connection "$host" "$port")
    detail="$detail $host:$port $is"
    case $is in open | refused) answer=yes && break ;; '?') answer='?' ;; esac
  done
  row reach "$name" "$answer" "${detail# }"
}
resolved() {
  if has getent; then soon 5 getent hosts "$1" | head -n 1
  elif has nslookup; then soon 5 nslookup "$1" 2>/dev/null | sed -n '/^Name/,$p' | head -n 2
  else return 1; fi
}

# --- reach
reached 'an address of the internet' 1.1.1.1 443 53
if has getent || has nslookup; then
  found=$(resolved example.com)
  row reach 'names of the internet' "$(tried test -n "$found")" "${found:-example.com is not known}"
else
  row reach 'names of the internet' '?' 'neither getent nor nslookup'
fi
proxy=${https_proxy:-${HTTPS_PROXY:-}}
if [ -n "$proxy" ]; then
  if has curl; then
    code=$(soon 8 curl -s -m 6 -o /dev/null -w '%{http_code}' https://example.com/ 2>/dev/null)
    row reach 'https://example.com by the proxy of its environment' "$([ "${code:-000}" != 000 ] && echo yes || echo no)" "status ${code:-000}"
  else
    row reach 'https://example.com by the proxy of its environment' '?' 'no curl'
  fi
fi
reached "a cloud's metadata" 169.254.169.254 80
gateway=$(awk '$2 == "00000000" { print $3; exit }' /proc/net/route 2>/dev/null)
if [ -n "$gateway" ]; then
  # Its bytes are in the order of the processor, which is little-endian wherever this is likely to run.
  at=$(printf '%s' "$gateway" | sed 's/\(..\)\(..\)\(..\)\(..\)/0x\4 0x\3 0x\2 0x\1/')
  # shellcheck disable=SC2046,SC2086
  reached 'the gateway, which is the host in most sandboxes' "$(printf '%d.%d.%d.%d' $at)" 22 80 443
else
  row reach 'the gateway, which is the host in most sandboxes' no 'no default route'
fi
for name in host.docker.internal host.containers.internal; do
  found=$(resolved "$name" 2>/dev/null)
  [ -z "$found" ] || row reach "the host as $name" yes "$found"
done
row reach 'network interfaces' - "$(ls /sys/class/net 2>/dev/null | listed)"
# State 0A listens; 0100007F is 127.0.0.1, and 00000000 every address.
ports=$(awk '$4 == "0A" && $2 ~ /^(0100007F|00000000):/ { split($2, at, ":"); print at[2] }' /proc/net/tcp 2>/dev/null |
  sort -u | head -n 20 | while read -r port; do printf '%d\n' "0x$port"; done | listed)
row reach 'programs that listen on its loopback' "$(tried test -n "$ports")" "${ports:-none}"
engines=
for socket in /var/run/docker.sock /run/docker.sock /run/podman/podman.sock /run/containerd/containerd.sock \
  /run/crio/crio.sock "${XDG_RUNTIME_DIR:-/nonexistent}/docker.sock" "${XDG_RUNTIME_DIR:-/nonexistent}/podman/podman.sock"; do
  [ -S "$socket" ] && [ -w "$socket" ] && engines="$engines $socket"
done
row reach 'a container engine' "$(tried test -n "$engines${DOCKER_HOST:-}")" "${engines:-no socket}${DOCKER_HOST:+, DOCKER_HOST is set}"
sockets=$(soon 5 find /run/ /tmp/ -type s 2>/dev/null | sort -u | while read -r socket; do
  [ -w "$socket" ] && printf '%s\n' "$socket"
done | head -n 12 | listed)
row reach 'sockets in its files' "$(tried test -n "$sockets")" "${sockets:-none}"

# --- hold
row hold 'user' - "$(id -u):$(id -g)"
map=$(tr -s ' ' </proc/self/uid_map 2>/dev/null | sed 's/^ //' | tr '\n' ';')
case $map in
'') row hold 'the users of the host' '?' 'no /proc/self/uid_map' ;;
'0 0 4294967295;') row hold 'the users of the host' yes 'no user namespace: root in here is root there' ;;
*) row hold 'the users of the host' no "user namespace: $map" ;;
esac
kernel=$(uname -r)
if soon 3 dmesg 2>/dev/null | head -n 5 | grep -qi gvisor; then kernel="$kernel, gVisor"; fi
row hold 'kernel' - "$kernel"
names='chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap mac_override mac_admin syslog wake_alarm block_suspend audit_read perfmon bpf checkpoint_restore'
named() {
  bits=$((0x${1:-0})) bit=0 found=
  for name in $names; do
    [ $(((bits >> bit) & 1)) = 0 ] || found="$found $name"
    bit=$((bit + 1))
  done
  printf '%s' "${found:- none}" | cut -c 2-
}
effective=$(named "$(status CapEff)")
bounding=$(named "$(status CapBnd)")
row hold 'capabilities' "$(tried test "$effective" != none)" "$effective"
row hold 'capabilities that a program with setuid gets' "$(tried test "$bounding" != none -a "$(status NoNewPrivs)" != 1)" "$bounding"
row hold 'new privileges (setuid, file capabilities)' "$(tried test "$(status NoNewPrivs)" != 1)" "no_new_privs $(status NoNewPrivs)"
row hold 'every system call (no seccomp)' "$(tried test "$(status Seccomp)" = 0)" "seccomp $(status Seccomp)"
row hold 'security module' - "$(cat /proc/self/attr/current 2>/dev/null | tr -d '\000')"
# Shorter ones are likely placeholders: they are named, but do not count.
secrets='' short=''
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p' | grep -Ei 'key|token|secret|passw|credential' | head -n 20); do
  value=$(printenv "$name")
  if [ ${#value} -ge 16 ]; then secrets="$secrets $name"; else short="$short $name"; fi
done
row hold 'credentials in its environment' "$(tried test -n "$secrets")" "${secrets:-none}${short:+ (placeholders:$short)}"
files=
for file in .ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa .aws/credentials .netrc .git-credentials .docker/config.json .kube/config \
  .pypirc .config/gh/hosts.yml .config/gcloud/credentials.db .azure/msal_token_cache.json .claude/.credentials.json \
  .codex/auth.json .cargo/credentials.toml; do
  [ -r "${HOME:-/nonexistent}/$file" ] && files="$files ~/$file"
done
grep -qs _auth "${HOME:-/nonexistent}/.npmrc" && files="$files ~/.npmrc"
for file in /var/run/secrets/kubernetes.io/serviceaccount/token "${GOOGLE_APPLICATION_CREDENTIALS:-/nonexistent}"; do
  [ -r "$file" ] && files="$files $file"
done
[ -S "${SSH_AUTH_SOCK:-/nonexistent}" ] && files="$files ssh-agent"
row hold 'credentials in files' "$(tried test -n "$files")" "${files:-none}"
session_of() { sed 's/.*) //' "$1/stat" 2>/dev/null | cut -d ' ' -f 4; }
# All processes that this script starts belong to its session.
own=$(session_of /proc/$$) others=0 seen=0
for process in /proc/[0-9]*; do
  seen=$((seen + 1))
  [ "$(session_of "$process")" = "$own" ] && continue
  { [ "$(head -c 1 "$process/environ" | wc -c)" -gt 0 ]; } 2>/dev/null && others=$((others + 1))
done
row hold "other programs' environments" "$(tried test "$others" -gt 0)" "$others of $seen processes that it sees"
usual='^(/etc/hosts|/etc/hostname|/etc/resolv.conf|/run/.containerenv|/proc/.*|/sys/firmware|/dev/.*|/dev)$'
# A pod's emptyDir belongs to the pod and is removed with it.
mounts=$(awk '$4 ~ "/kubernetes.io~empty-dir/" { next } { for (at = 7; at <= NF; at++) if ($at == "-") break; kind = $(at + 1);
  if (kind !~ /^(proc|sysfs|tmpfs|devpts|devtmpfs|mqueue|cgroup2?|overlay|fuse-overlayfs|securityfs|debugfs|tracefs|bpf|pstore|hugetlbfs|configfs|nsfs|binfmt_misc|autofs|ramfs|fusectl)$/)
  print $5 (($6 ~ /^rw/) ? " rw" : " ro") }' /proc/self/mountinfo 2>/dev/null | awk -v usual="$usual" '$1 !~ usual' |
  while read -r path how; do [ -e "$(printf %b "$path")" ] && echo "$path $how"; done | head -n 12)
# A pod's termination message is a file of its node, and nothing limits its size.
[ -w /dev/termination-log ] && mounts="/dev/termination-log rw${mounts:+
$mounts}"
row hold 'folders of the host' "$(tried test -n "$mounts")" "$(printf '%s' "${mounts:-none}" | tr '\n' ',')"
writable=
for place in / /etc /usr /usr/bin /usr/local /opt /var /var/tmp /home /root "${HOME:-/}" /tmp /dev/shm "$PWD" /sys/fs/cgroup /proc/sys/kernel; do
  case " $writable " in *" $place "*) continue ;; esac
  [ -d "$place" ] && [ -w "$place" ] && writable="$writable $place"
done
row hold 'places it can write' - "${writable:-none}"
system=
for place in / /etc /usr /usr/bin /proc/sys/kernel /sys/fs/cgroup; do [ -d "$place" ] && [ -w "$place" ] && system="$system $place"; done
row hold 'its own system, to change it' "$(tried test -n "$system")" "${system:-none}"
devices=$(ls /dev 2>/dev/null | grep -Ev '^(null|zero|full|random|urandom|tty|ptmx|pts|shm|mqueue|fd|stdin|stdout|stderr|core|console|termination-log)$' | head -n 20 | listed)
row hold 'devices beside the usual ones' "$(tried test -n "$devices")" "${devices:-none}"
# The least that the cgroup, or one around it, has in either version.
limit() {
  found=
  for where in "$(sed -n "s/^[0-9]*:[^:]*$1[^:]*://p" /proc/self/cgroup 2>/dev/null | head -n 1)" "$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)" ''; do
    for file in "/sys/fs/cgroup/$1$where/$2" "/sys/fs/cgroup$where/$3"; do
      [ -r "$file" ] && found=$(cat "$file") && [ -n "$found" ] && printf '%s' "$found" && return
    done
  done
}
unlimited() { case $1 in '' | max* | -1 | unlimited | 9223372036854771712) echo yes ;; *) echo no ;; esac; }
value=$(limit memory memory.limit_in_bytes memory.max)
row hold 'memory without a limit' "$(unlimited "$value")" "${value:-no limit seen}"
value=$(limit pids pids.max pids.max)
if [ "$(unlimited "$value")" = yes ] && [ -n "${KUBERNETES_SERVICE_HOST:-}" ]; then
  row hold 'processes without a limit' '?' 'its node may limit all of the pod, which is not seen in here (podPidsLimit)'
else
  row hold 'processes without a limit' "$(unlimited "$value")" "${value:-no limit seen}"
fi
value=$(limit cpu cpu.cfs_quota_us cpu.max)
row hold 'CPU time without a limit' "$(unlimited "$value")" "${value:-no limit seen}"
for each in 'open files=open files' 'size of a file=file size' 'core dumps=core file size'; do
  value=$(sed -n "s/^Max ${each#*=}  *[^ ]*  *\([^ ]*\).*/\1/p" /proc/self/limits 2>/dev/null)
  row hold "${each%=*} without a limit" "$(unlimited "$value")" "${value:-no limit seen}"
done
row hold 'free disk' - "$(df -Pk . 2>/dev/null | awk 'NR == 2 { printf "%.1f GiB", $4 / 1048576 }')"

# --- do
readable() { [ "$(head -c 1 "$1" 2>/dev/null | wc -c)" -gt 0 ]; }
row do 'become root by sudo' "$(has sudo && soon 3 sudo -n true >/dev/null 2>&1 && echo yes || echo no)" ''
if has unshare; then
  row do 'make a user namespace' "$(tried soon 5 unshare -U true)" ''
  row do 'mount in a namespace of its own' "$(tried soon 5 unshare -Urm mount -t tmpfs none /mnt)" ''
else
  row do 'make a user namespace' '?' 'no unshare'
fi
if has mount && mkdir "$scratch/mount" 2>/dev/null; then
  row do 'mount' "$(tried soon 5 mount -t tmpfs none "$scratch/mount")" ''
  umount "$scratch/mount" 2>/dev/null
else
  row do 'mount' '?' 'no mount, or nowhere to try it'
fi
if has mknod; then
  # The numbers of a disk; nothing is read from it.
  row do 'make a block device' "$(tried mknod "$scratch/disk" b 8 0)" ''
fi
if has python3; then
  raw() { soon 5 python3 -c "import socket; socket.socket($1).close()"; }
  row do 'open raw sockets' "$(tried raw 'socket.AF_INET, socket.SOCK_RAW, 1')" ''
  row do 'listen to the wire (packet sockets)' "$(tried raw 'socket.AF_PACKET, socket.SOCK_RAW')" ''
  sleep 5 & child=$!
  # 0x4206 is PTRACE_SEIZE, which does not stop the process.
  row do 'trace a program of its own' "$(tried soon 5 python3 -c "import ctypes,sys; sys.exit(ctypes.CDLL(None).ptrace(0x4206, $child, None, None) != 0)")" "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null | sed 's/^/yama /')"
  kill "$child" 2>/dev/null
else
  for what in 'open raw sockets' 'listen to the wire (packet sockets)' 'trace a program of its own'; do row do "$what" '?' 'no python3'; done
fi
if [ $$ = 1 ]; then
  row do 'look into process 1' - 'this script is process 1'
else
  row do 'look into process 1' "$(tried readlink /proc/1/root)" ''
fi
# To try it would set the clock.
case " $effective " in *' sys_time '*) clock=yes ;; *) clock=no ;; esac
row do 'set the clock' "$clock" 'by its capabilities'
row do "read the kernel's log" "$( (soon 3 dmesg 2>/dev/null | head -c 1 | grep -q .) && echo yes || echo no)" ''
row do "read the kernel's memory (/proc/kcore)" "$(tried readable /proc/kcore)" ''
row do 'read kernel keys (/proc/keys)' "$(tried readable /proc/keys)" ''
row do 'read timers of all programs (/proc/timer_list)' "$(tried readable /proc/timer_list)" ''
row do 'read the firmware (/sys/firmware)' "$(tried test -n "$(ls -A /sys/firmware 2>/dev/null)")" ''
row do 'restart the machine (/proc/sysrq-trigger)' "$(tried test -w /proc/sysrq-trigger)" ''
row do "have the host run a program (core_pattern)" "$(tried test -w /proc/sys/kernel/core_pattern)" ''
