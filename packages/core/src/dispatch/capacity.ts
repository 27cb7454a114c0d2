import { MOST_SLOTS } from './shares.ts'

/** What a machine has for sandboxes, or a sandbox of it. */
export type Size = { cpus: number; memoryBytes: number }

/** How many sandboxes of this size fit on these machines; never more than have been tried. One that fits nowhere is clamped to a machine. */
export function slotsOn(machines: readonly Size[], { cpus, memoryBytes }: Size): number {
  const fit = machines.reduce(
    (sum, machine) => sum + Math.floor(Math.min(machine.cpus / cpus, machine.memoryBytes / memoryBytes)),
    0,
  )
  return Math.min(MOST_SLOTS, Math.max(fit, machines.length > 0 ? 1 : 0))
}
