import type { Bead } from '../records/bead.ts'
import { makeSchedule } from './make-schedule.ts'
import { HOME, type DispatchSnapshot, type QueuedExecution } from '../dispatch/dispatch-snapshot.ts'
import { parseBeadId } from '../records/ids.ts'
import { sampleExecution, sampleProject, sampleSnapshot } from './sample-bead.ts'

/** The time at which these schedules are made, in milliseconds UTC. */
export const NOW = Date.parse('2026-03-01T14:00:00Z')
export const inProgress = { status: 'in_progress', trackerStatus: 'in_progress' } as const

export const queued = (name: string, patch: Partial<QueuedExecution> = {}): QueuedExecution => ({
  id: sampleExecution(name),
  project: sampleProject,
  bead: parseBeadId(name),
  queuedAt: NOW,
  retryAt: null,
  ...patch,
})
export const live = (name: string) => ({ id: sampleExecution(name), project: sampleProject, bead: parseBeadId(name) })

/** The schedule for a snapshot of one project, with its reasons by bead. */
export function schedule(
  beads: Bead[],
  { slots = 3, ...patch }: Partial<Omit<DispatchSnapshot, 'slots'>> & { slots?: number } = {},
  project: Parameters<typeof sampleSnapshot>[1] = {},
) {
  const snapshot: DispatchSnapshot = {
    now: NOW,
    slots: new Map([[HOME, slots]]),
    obstacle: null,
    projects: [sampleSnapshot(beads, project)],
    running: [],
    queued: [],
    ...patch,
  }
  const { start, enqueue, reasons } = makeSchedule(snapshot)
  const texts = Object.fromEntries([...(reasons.get(sampleProject) ?? [])].map(([id, { text }]) => [id, text]))
  const codes = Object.fromEntries([...(reasons.get(sampleProject) ?? [])].map(([id, { code }]) => [id, code]))
  return { start, enqueue: enqueue.map((one) => one.bead as string), texts, codes }
}
