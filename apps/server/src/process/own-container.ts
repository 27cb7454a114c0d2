import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mountOf, mountsOf } from './mounts.ts'

/**
 * Whether this process runs in a container. `reason`: the trace that shows it, or why there is none, for people. `id`:
 * the engine's, if it has left a trace.
 */
export type OwnContainer = { inside: boolean; reason: string; id: string | null }

/** Everything that a process can see of its surroundings. */
export type Surroundings = {
  /** /proc/self/mountinfo and /proc/self/cgroup; '' if there is none. */
  mountinfo: string
  cgroup: string
  exists: (path: string) => boolean
  /** The names of the network's interfaces, and whether one belongs to the machine: a card, or a bridge. */
  interfaces: readonly { name: string; ofMachine: boolean }[]
}

export function surroundings(): Surroundings {
  return {
    mountinfo: textOf('/proc/self/mountinfo'),
    cgroup: textOf('/proc/self/cgroup'),
    exists: existsSync,
    interfaces: namesIn(NETWORK).map((name) => ({
      name,
      ofMachine: ['device', 'bridge'].some((part) => existsSync(`${NETWORK}/${name}/${part}`)),
    })),
  }
}

const NETWORK = '/sys/class/net'

/** Engines mount these files into a container from outside; the path says which engine. */
const OF_ENGINES = ['/etc/hostname', '/etc/hosts', '/etc/resolv.conf']
const FROM_ENGINE = /\/(?:overlay-)?containers\/[0-9a-f]{64}\/|\/pods\/[0-9a-f-]{36}\//
const GROUP_OF_ENGINE = /\/(?:docker|libpod|cri-containerd|crio)[-/:][0-9a-f]{64}|\/kubepods[^\n]*/
/** File systems that are made of an image's layers. */
const LAYERED = /^(?:overlay|aufs|fuse\.fuse-overlayfs)$/

/**
 * Whether this process runs in a container: then the engine is outside, and does not see our files unless they are
 * mounted from its host (`container/outside-path.ts`). `/.dockerenv` alone proves nothing: machines, too, are made from
 * images.
 */
export function ownContainer(seen = surroundings()): OwnContainer {
  const mounts = mountsOf(seen.mountinfo)
  const given = mounts.find(({ at, root }) => OF_ENGINES.includes(at) && FROM_ENGINE.test(root))
  const group = GROUP_OF_ENGINE.exec(seen.cgroup)?.[0]
  const id = /[0-9a-f]{64}/.exec(given?.root ?? group ?? '')?.[0] ?? null
  if (given) return { inside: true, reason: `${given.at} is mounted from ${given.root}`, id }
  if (seen.exists('/run/.containerenv')) return { inside: true, reason: 'there is /run/.containerenv', id }
  if (group) return { inside: true, reason: `its control group is ${group}`, id }
  if (!seen.exists('/.dockerenv')) return { inside: false, reason: 'no engine has left a trace', id }
  const root = mountOf('/', mounts)
  return root && LAYERED.test(root.type)
    ? { inside: true, reason: `there is /.dockerenv, and / is ${root.type}`, id }
    : { inside: false, reason: `there is /.dockerenv, but / is ${root?.source ?? 'no layer of an image'}`, id }
}

/** Whether the network is a container's own: then only connections that the engine lets in reach its addresses. */
export const hasOwnNetwork = (seen = surroundings()): boolean =>
  ownContainer(seen).inside && !seen.interfaces.some(({ ofMachine }) => ofMachine)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
