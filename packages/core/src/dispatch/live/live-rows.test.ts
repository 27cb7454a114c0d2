import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bead } from '../../records/bead.ts'
import { isInside, originOf } from '../../bead/inside.ts'
import { hiddenOnBoard, readySet } from '../../bead/ready.ts'
import { parseBeadId, type BeadId } from '../../records/ids.ts'
import { anyBead, beadOf, name, names } from '../../testing/any-change.ts'
import { edges, sampleBead } from '../../testing/sample-bead.ts'
import { LiveRows, type RowCounts } from './live-rows.ts'

/** The counts, computed from everything. */
function plainCounts(beads: ReadonlyMap<string, Bead>, ready: ReadonlySet<string>, busy: ReadonlySet<string>) {
  const counts: RowCounts = { open: 0, in_progress: 0, blocked: 0, timeout: 0, done: 0, ready: 0 }
  for (const bead of beads.values()) {
    const origin = originOf(bead, ({ dependsOn }) => beads.get(dependsOn))
    if (hiddenOnBoard(bead) || isInside(bead, origin)) continue
    counts[bead.status] += 1
    if (ready.has(bead.id) && !busy.has(bead.id)) counts.ready += 1
  }
  return counts
}

test('ready beads and counts of rows equal a full recalculation after any changes, at any time', () => {
  const followUp = fc.record({ bead: anyBead, of: name })
  const change = fc.oneof(
    { weight: 6, arbitrary: anyBead.map((bead) => ({ set: beadOf(bead) })) },
    {
      weight: 3,
      arbitrary: followUp.map(({ bead, of }) => {
        const made = beadOf(bead)
        return {
          set: {
            ...made,
            filedFor: parseBeadId(of),
            dependencies: [...made.dependencies, ...edges('discovered-from', of)],
          },
        }
      }),
    },
    { weight: 1, arbitrary: name.map((remove) => ({ remove })) },
    { weight: 1, arbitrary: name.map((busy) => ({ busy })) },
    { weight: 1, arbitrary: fc.nat(40).map((hours) => ({ now: hours * 3_600_000 })) },
  )
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 5 }), { minLength: 1, maxLength: 12 }), (rounds) => {
      const [beads, busy, live] = [new Map<string, Bead>(), new Set<string>(), new LiveRows()]
      const mayStart = (id: BeadId) => !busy.has(id)
      let now = 0
      for (const round of rounds) {
        for (const one of round) {
          if ('set' in one) {
            beads.set(one.set.id, one.set)
            live.set(one.set)
          } else if ('remove' in one) {
            beads.delete(one.remove)
            live.remove(parseBeadId(one.remove))
          } else if ('busy' in one) {
            if (!busy.delete(one.busy)) busy.add(one.busy)
            live.touch(parseBeadId(one.busy))
          } else now = one.now
        }
        const ready = new Set<string>(readySet([...beads.values()], now).map(({ id }) => id))
        const found = names.filter((id) => live.isReady(parseBeadId(id), now, mayStart))
        expect(found).toEqual(names.filter((id) => ready.has(id)))
        expect(live.counts(now, mayStart)).toEqual(plainCounts(beads, ready, busy))
      }
    }),
    { numRuns: 500 },
  )
})

test('a change of one bead among thousands looks at that bead and at beads that it held back', () => {
  const live = new LiveRows()
  for (let at = 0; at < 5_000; at++)
    live.set(sampleBead(`t-${at}`, { dependencies: at % 50 === 1 ? edges('blocks', `t-${at - 1}`) : [] }))
  expect(live.counts(0, () => true)).toMatchObject({ open: 5_000, ready: 4_900 })
  const before = live.looks
  live.set(sampleBead('t-100', { status: 'done', trackerStatus: 'closed' }))
  expect(live.counts(0, () => true)).toMatchObject({ open: 4_999, done: 1, ready: 4_900 })
  expect(live.looks - before).toBe(2)
})
