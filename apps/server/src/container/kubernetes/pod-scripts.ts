import { ASIDE, SUPERVISOR_FOLDER } from '@beadloom/core/execution/session-order.ts'
import { LARGE_SCRATCH, OTHERS } from './pod-folders.ts'

/** Tries the API server, which the cluster names to each pod, and `$1` if given, until neither can be reached. */
const PROBE = `const net = require('net')
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
const targets = [host && port ? host + ':' + port : '', process.argv[1] || ''].filter(Boolean)
const isOpen = (target) => new Promise((resolve) => {
  const at = target.lastIndexOf(':')
  const socket = net.connect({ host: target.slice(0, at), port: Number(target.slice(at + 1)) })
  const done = (open) => { socket.destroy(); resolve(open) }
  socket.once('connect', () => done(true)).once('error', () => done(false)).setTimeout(1500, () => done(false))
})
const begun = process.uptime()
const look = async () => {
  const open = []
  for (const target of targets) if (await isOpen(target)) open.push(target)
  if (open.length === 0) process.exit(0)
  if (process.uptime() - begun > 8) { console.error('reached ' + open.join(' and ')); process.exit(78) }
  setTimeout(look, 200)
}
look()`

/** The exit code of the preparation in a pod that reaches what it must not. */
export const OPEN_NETWORK = 78

/** Tries to reach what a sandbox must not: `$1`, and the API server. */
export const REACH = `exec /opt/beadloom/bin/node -e "${PROBE.replaceAll('"', '\\"')}" -- "$1"`

/** The second argument of the preparation if the pod must have users of its own. */
export const OWN_USERS = 'own-users'

/** The exit code of the preparation in a pod that has its node's users, although others were requested. */
export const NODES_USERS = 79

/** Fails if the pod has its node's users: an older cluster silently ignores the wish for others. */
const USERS = `read first outside _ </proc/self/uid_map
if test "$first" = 0 && test "$outside" = 0; then echo 'its users are those of its node' >&2; exit ${NODES_USERS}; fi`

/**
 * Copies the image's files in folders that a sandbox may write to, and files set aside for the workspace. Then checks
 * that the users are the pod's own, if requested, and that the network is closed. Its arguments: the probe, `OWN_USERS`
 * or nothing, and the folders that the settings name.
 */
export const PREPARE = `set -e
probe=$1 users=$2
shift 2
mkdir -p /files/home /files/lib/beadloom /files/${OTHERS} /files/${LARGE_SCRATCH}
chmod 700 /files/lib/beadloom
chmod 1777 /files/${LARGE_SCRATCH}
cp -a /workspace /files/workspace
if test -d ${ASIDE}; then cp -a ${ASIDE}/. /files/workspace/; chmod 755 /files/workspace; fi
cp -a /home/agent /files/home/agent
at=0
for folder; do
  mkdir "/files/${OTHERS}/$at"
  if test -d "$folder"; then cp -a "$folder/." "/files/${OTHERS}/$at/"; fi
  at=$((at + 1))
done
if test "$users" = ${OWN_USERS}; then
${USERS}
fi
set -- "$probe"
${REACH}`

/**
 * Runs before the supervisor. A container that was started again waits until the keeper says that this start is wanted:
 * otherwise it would tidy up unread files of the session that has ended. Nodes do not know these limits.
 */
export const GATED = `ulimit -n 8192; ulimit -c 0; ulimit -f 33554432
cd ${SUPERVISOR_FOLDER}
trap 'exit 143' TERM
n=$(($(cat .runs 2>/dev/null || echo 0) + 1))
until test "$(cat .go 2>/dev/null || echo 1)" -ge "$n"; do sleep 0.2 & wait $!; done
echo "$n" > .runs
cd /workspace
trap - TERM
exec "$@"`

/** Does nothing: it is only a place from which files are read. */
export const KEEP = `trap 'exit 0' TERM
while :; do sleep 3600 & wait $!; done`

/**
 * Ends everything in a sandbox whose supervisor does not end it. Process 1 cannot be killed from inside, but it gives
 * up after twenty dead supervisors.
 */
export const END_ALL = `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do kill -9 -1; sleep 0.1; done`
