import { MOST_SLOTS } from './shares.ts'

/** The resources that a machine has for sandboxes, or that a sandbox gets. */
export type Size = { cpus: number; memoryBytes: number }

/** `places`: the most sandboxes that it takes, of any size; absent: not known. */
export type Machine = Size & { places?: number }

/** A sandbox's request to its machine: a part of its limits (0 to 1), plus a fixed amount. */
export type Asking = { part: Size; beside: Size }

const wholly: Asking = { part: { cpus: 1, memoryBytes: 1 }, beside: { cpus: 0, memoryBytes: 0 } }

/** 2.9999999999999996 sandboxes are three. */
const ROUNDING = 1e-9

/**
 * The number of sandboxes of this size that fit on these machines, at most `MOST_SLOTS`. A sandbox that fits nowhere is
 * clamped to a machine.
 */
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

/**
 * The part of all places for checks: a check takes minutes and its agent takes longer, and with a single free place
 * every check gets its turn.
 */
const FOR_CHECKS = 1 / 4

/**
 * The number of agents that may work if a sandbox waits for a place: the checks of an agent's work need a second place
 * beside the agent's. With as many agents as places, all of them would wait for each other.
 */
export const slotsBesideChecks = (places: number): number =>
  Math.max(places - Math.ceil(places * FOR_CHECKS), Math.min(places, 1))
