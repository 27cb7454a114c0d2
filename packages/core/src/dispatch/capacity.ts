import { MOST_SLOTS } from './shares.ts'

/** What a machine has for sandboxes, or a sandbox of it. */
export type Size = { cpus: number; memoryBytes: number }

/** `places`: how many sandboxes it takes at most, however small they are; absent: it does not say. */
export type Machine = Size & { places?: number }

/** What a sandbox asks of its machine: a part of what it is limited to (0 to 1), and what comes with it. */
export type Asking = { part: Size; beside: Size }

const wholly: Asking = { part: { cpus: 1, memoryBytes: 1 }, beside: { cpus: 0, memoryBytes: 0 } }

/** 2.9999999999999996 sandboxes are three. */
const ROUNDING = 1e-9

/** How many sandboxes of this size fit on these machines; never more than have been tried. One that fits nowhere is clamped to a machine. */
export function slotsOn(machines: readonly Machine[], { cpus, memoryBytes }: Size, asking = wholly): number {
  const { part, beside } = asking
  const asked = {
    cpus: cpus * part.cpus + beside.cpus,
    memoryBytes: memoryBytes * part.memoryBytes + beside.memoryBytes,
  }
  const fit = machines.reduce((sum, { places = Infinity, ...machine }) => {
    const bySize = Math.min(machine.cpus / asked.cpus, machine.memoryBytes / asked.memoryBytes)
    return sum + Math.floor(Math.min(places, bySize + ROUNDING))
  }, 0)
  return Math.min(MOST_SLOTS, Math.max(fit, machines.length > 0 ? 1 : 0))
}

/** Of all places: a check takes minutes where its agent takes more, and one that is left at all lets every check come to its turn. */
const FOR_CHECKS = 1 / 4

/**
 * How many agents may be at work where a sandbox waits for a place: the checks of their work have another one each, beside
 * the agent's. With as many agents as places all of them would wait for each other.
 */
export const slotsBesideChecks = (places: number): number =>
  Math.max(places - Math.ceil(places * FOR_CHECKS), Math.min(places, 1))
