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

/**
 * Where a project's containers are. `engine`: its name; null: the one that is there by itself. `memoryBytes`: of the host, or of
 * the largest machine; 0: not known yet. `slots`: how many share it; null: a container may have all of it.
 */
export type MemoryHost = { engine: string | null; memoryBytes: number; slots: number | null }

/** What a person has to know about a project's own limit, with what to do; null where it gets what it asks for. */
export function memoryNote(host: MemoryHost, asked: number): string | null {
  const { memoryBytes, slots } = host
  const share = slots === null ? memoryBytes : shareOf(memoryBytes, slots)
  if (memoryBytes === 0 || asked <= share) return null
  const { why, more } = whyLess(host)
  return `Each container gets ${gib(share)}, not ${gib(asked)}: ${why}. For more, ${more}.`
}

function whyLess({ engine, memoryBytes, slots }: MemoryHost): { why: string; more: string } {
  const host = engine ?? 'the host'
  if (slots === null) return { why: `no machine of ${host} has more`, more: 'use a larger one' }
  if (slots === 1)
    return { why: `${host} has ${gib(memoryBytes)} and needs some of it itself`, more: 'use a larger host' }
  const more = engine === null ? 'start the server with fewer slots (--slots)' : 'give it fewer "slots" in config.json'
  return { why: `${slots} slots share the ${gib(memoryBytes)} of ${host}`, more }
}
