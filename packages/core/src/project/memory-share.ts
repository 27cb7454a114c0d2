import { defaultLimits } from './project-config.ts'

const GIB = 1024 ** 3

export const gib = (bytes: number): string => `${Math.round((bytes / GIB) * 10) / 10} GiB`

/** Memory for the host itself, Docker and the server: a gibibyte, or an eighth of a small host. */
const OWN_BYTES = GIB

/** The most memory that one container may have, so that all slots together fit into the host. Bytes. */
export function shareOf(hostBytes: number, slots: number): number {
  return Math.floor((hostBytes - Math.min(OWN_BYTES, hostBytes / 8)) / slots)
}

/** A sentence for people if not every slot can have the default memory of a project; else null. */
export function tightMemory(hostBytes: number, slots: number): string | null {
  const share = shareOf(hostBytes, slots)
  const asked = defaultLimits.memoryBytes
  if (share >= asked) return null
  const all = slots === 1 ? 'one slot' : `${slots} slots`
  return `${all} with ${gib(asked)} each (limits.memoryMb, by default) are more than this host has (${gib(hostBytes)}): each container gets at most ${gib(share)}; use fewer slots to give each one more`
}

/**
 * The host of a project's containers. `engine`: its name; null: the server's own. `memoryBytes`: the host's, or the
 * largest machine's; 0: not known yet. `slots`: the number that share it; null: a container may have all of it.
 */
export type MemoryHost = { engine: string | null; memoryBytes: number; slots: number | null }

/** A note for people about a project's own limit, with advice; null if the project gets what it asks for. */
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
