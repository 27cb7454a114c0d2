import { defaultLimits } from '../project/project-config.ts'

const GIB = 1024 ** 3

export const gib = (bytes: number): string => `${Math.round((bytes / GIB) * 10) / 10} GiB`

/** What the host keeps for itself, Docker and the server: a gibibyte, or an eighth of a small host. */
const OWN_BYTES = GIB

/** The most memory that one container may have, so that all slots together fit into the host. Bytes. */
export function shareOf(hostBytes: number, slots: number): number {
  return Math.floor((hostBytes - Math.min(OWN_BYTES, hostBytes / 8)) / slots)
}

/** A sentence for people where not every slot can have what a project gets that names no limit; else null. */
export function tightMemory(hostBytes: number, slots: number): string | null {
  const share = shareOf(hostBytes, slots)
  const asked = defaultLimits.memoryBytes
  if (share >= asked) return null
  const all = slots === 1 ? 'one slot' : `${slots} slots`
  return `${all} with ${gib(asked)} each (limits.memoryMb, by default) are more than this host has (${gib(hostBytes)}): each container gets at most ${gib(share)}; use fewer slots to give each one more`
}

/** What a person has to know about a project's own limit, with what to do; null where it gets what it asks for. */
export function memoryNote(host: { memoryBytes: number; slots: number }, asked: number): string | null {
  const share = shareOf(host.memoryBytes, host.slots)
  if (host.memoryBytes === 0 || asked <= share) return null
  const why =
    host.slots === 1
      ? `the host has ${gib(host.memoryBytes)} and needs some of it itself`
      : `${host.slots} slots share the ${gib(host.memoryBytes)} of the host`
  return `Each container gets ${gib(share)}, not ${gib(asked)}: ${why}. ${host.slots === 1 ? 'For more, use a larger host' : 'For more, start the server with fewer slots (--slots)'}.`
}
