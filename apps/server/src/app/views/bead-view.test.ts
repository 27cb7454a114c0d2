import type { Bead } from '@beadloom/core/records/bead.ts'
import { sampleBead } from '@beadloom/core/testing/sample-bead.ts'
import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { beadView, type BeadViewDeps } from './bead-view.ts'

test('a bead has its full title as it was written, and the beginnings of the titles on both sides of its dependencies', () => {
  const title = 'a word '.repeat(8_000)
  const on = (bead: Bead) => ({ dependencies: [{ dependsOn: bead.id, type: 'blocks' as const }] })
  const first = sampleBead('first', { title })
  const bead = sampleBead('bead', { title, ...on(first) })
  const last = sampleBead('last', { title, ...on(bead) })
  const all = new Map([first, bead, last].map((one) => [one.id, one]))
  const deps = {
    index: {
      beads: () => all,
      verdict: () => null,
      planHead: () => null,
      refused: () => [],
      planning: () => null,
      newestExecution: () => null,
    },
    schedule: { isReady: () => false, reason: () => null },
    clock: new HandClock(),
  } as unknown as BeadViewDeps
  const view = beadView(deps, bead, [])
  expect(view.title).toBe(title)
  const [above] = view.dependencies
  const [below] = view.dependents
  for (const told of [above?.title, below?.title]) {
    expect(told).toMatch(/^a word .*…$/)
    expect(told?.length).toBeLessThanOrEqual(500)
  }
})
