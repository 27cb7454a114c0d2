import type { Bead } from '@beadloom/core/records/bead.ts'
import { parseBeadId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { makeSchedule } from '@beadloom/core/testing/make-schedule.ts'
import { HOME, type DispatchSnapshot } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import { readySet } from '@beadloom/core/bead/ready.ts'
import { figure, type Report, type Row } from './support/figure.ts'

const ROUNDS = 15
const SIZES = [1_000, 10_000, 100_000]
const NOW = Date.UTC(2026, 2, 1)
const benched = parseProjectId('bench')

/** Times the scheduler's work after a change, on projects of three sizes. */
export async function scheduling(asked: number | null): Promise<Report> {
  const rows = SIZES.flatMap((size): Row[] => {
    const beads = beadsOf(size)
    const count = size.toLocaleString('en-US')
    return [
      {
        bench: 'scheduling',
        what: `ready set of ${count} beads`,
        ours: figure(
          'ms',
          timesOf(asked ?? ROUNDS, () => readySet(beads, NOW)),
        ),
        baseline: null,
        aim: size === 100_000 ? { of: 'ours', at: 'most', value: 50 } : null,
      },
      {
        bench: 'scheduling',
        what: `makeSchedule of ${count} beads`,
        ours: figure(
          'ms',
          timesOf(asked ?? ROUNDS, () => makeSchedule(snapshotOf(beads))),
        ),
        baseline: null,
        aim: null,
      },
    ]
  })
  return { rows, parts: [] }
}

/** The first calls, in which V8 still compiles, are left out: the server makes this call all day. */
function timesOf(rounds: number, work: () => unknown): number[] {
  for (let warm = 0; warm < 3; warm++) work()
  return Array.from({ length: rounds }, () => {
    const from = performance.now()
    work()
    return performance.now() - from
  })
}

const snapshotOf = (beads: Bead[]): DispatchSnapshot => ({
  now: NOW,
  slots: new Map([[HOME, 3]]),
  obstacle: null,
  projects: [{ id: benched, autopilot: true, paused: false, obstacle: null, beads, tried: new Set() }],
  running: [],
  queued: [],
})

/**
 * Beads that are all open, the worst case. A third of them waits for an earlier one, and one in ten is the child of an
 * epic. Each bead has its own strings, as if read from a database.
 */
export function beadsOf(size: number, project = benched): Bead[] {
  const chance = lehmer(size)
  const earlier = (at: number) => `bench-${Math.floor(chance() * at).toString(36)}`
  return Array.from({ length: size }, (_, at): Bead => {
    const id = parseBeadId(`bench-${at.toString(36)}`)
    const dependencies = at > 0 && at % 3 === 0 ? [{ dependsOn: earlier(at), type: 'blocks' }] : []
    if (at > 0 && at % 10 === 1) dependencies.push({ dependsOn: earlier(at), type: 'parent-child' })
    return {
      project,
      id,
      title: `Bead number ${at}`,
      description: `What is to be done for bead ${at}.`,
      status: 'open',
      trackerStatus: 'open',
      priority: Math.floor(chance() * 5),
      type: at % 20 === 0 ? 'epic' : 'task',
      labels: [],
      dependencies,
      createdAt: NOW - Math.floor(chance() * 1e10),
      updatedAt: NOW,
      deferUntil: null,
      pinned: false,
      ephemeral: false,
      template: false,
    }
  })
}

/** The same numbers in [0, 1) in every run. */
function lehmer(seed: number): () => number {
  let state = seed % 2_147_483_647
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
