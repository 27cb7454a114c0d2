// The server's image starts as root, because only the engine's host knows which group may use Docker's socket. Here it
// becomes an ordinary user. Plain JavaScript without dependencies.
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'

const USER = 1000
const HOME = '/home/beadloom'
const SOCKET = '/var/run/docker.sock'
const GROUP_MAY_USE = 0o060

export class Refusal extends Error {}

/** The engine's socket; null where DOCKER_HOST is an address. */
export function socketOf(env) {
  const host = env.DOCKER_HOST?.trim()
  if (!host) return SOCKET
  return /^(?:unix:\/\/)?(\/.+)$/.exec(host)?.[1] ?? null
}

/** Whether a path is in something that is mounted, and not in the container's own layer. */
export function isMounted(path, mountinfo = readFileSync('/proc/self/mountinfo', 'utf8')) {
  const points = mountinfo.split('\n').map((line) => line.split(' ')[4]?.replaceAll('\\040', ' '))
  return points.some((point) => point && point !== '/' && (path === point || path.startsWith(`${point}/`)))
}

/** Root of a user namespace (rootless engines, Podman) is an ordinary user outside, and owns the socket and the folders. */
export const isRealRoot = (uid, uidMap) => uid === 0 && /^\s*0\s+0\s+4294967295\s*$/m.test(uidMap)

/** Becomes the owner of the data folder, who is the user 1000 for a new one. Throws `Refusal` with what to do. */
export function becomeOrdinary(data, env = process.env) {
  if (!isRealRoot(process.getuid(), readFileSync('/proc/self/uid_map', 'utf8'))) return
  const { uid, gid } = ownerOf(data)
  const socket = socketOf(env)
  const found = socket === null ? null : statSync(socket, { throwIfNoEntry: false })
  if (found && (found.mode & GROUP_MAY_USE) !== GROUP_MAY_USE && found.uid !== uid) {
    process.stderr.write(`beadloom: only its owner may use ${socket}, so the server stays root in this container.\n`)
    return
  }
  if (
    !readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .some((line) => line.split(':')[2] === String(uid))
  )
    tried(() => appendFileSync('/etc/passwd', `beadloom-${uid}:x:${uid}:${gid}::${HOME}:/bin/sh\n`))
  tried(() => chownSync(HOME, uid, gid))
  process.setgroups([...new Set(found ? [gid, found.gid] : [gid])])
  process.setgid(gid)
  process.setuid(uid)
  env.HOME = HOME
}

function ownerOf(data) {
  if (!existsSync(data)) mkdirSync(data, { recursive: true, mode: 0o700 })
  const { uid, gid } = statSync(data)
  if (uid !== 0) return { uid, gid }
  // As the engine makes a folder that it is to mount and does not find.
  if (readdirSync(data).length > 0)
    throw new Refusal(
      `the data folder ${data} belongs to root, and the server does not run as root. Run "chown -R ${USER}:${USER}" on it, on the machine that it is mounted from.`,
    )
  chmodSync(data, 0o700)
  chownSync(data, USER, USER)
  return { uid: USER, gid: USER }
}

/** Where the image is read-only, it is as well without. */
function tried(change) {
  try {
    change()
  } catch (error) {
    if (!['EROFS', 'EPERM', 'ENOENT', 'EACCES'].includes(error.code)) throw error
  }
}
