import { describe, expect, test } from 'vitest'
import type { Bead } from '../records/bead.ts'
import { edges, sampleBead } from '../testing/sample-bead.ts'
import { epicPlan } from './epic-plan.ts'
import { phasesOf } from './phases.ts'
import type { Plan } from '../records/plan.ts'

const epic = sampleBead('e', { type: 'epic', title: 'A shop', description: '' })
const child = (id: string, more: Partial<Bead> = {}, ...after: string[]): Bead =>
  sampleBead(id, {
    title: `Do ${id}`,
    ...more,
    dependencies: [...edges('parent-child', 'e'), ...edges('blocks', ...after)],
  })
const itself = (bead: Bead) => bead
const planOf = (beads: Bead[], stored: Plan | null = null): Plan => {
  const found = epicPlan(epic, [epic, ...beads], stored, itself)
  if (found.is !== 'new') throw new Error(`it is ${found.is}`)
  return found.plan
}

describe('the children of an epic', () => {
  test('are subtasks, in phases from the edges between them, with types from their labels', () => {
    const plan = planOf([
      child('a', { labels: ['test', 'ui'], description: 'Test the cart.\n\n**Files:** `test/cart.ts`, docs/ ../x' }),
      child('b', { labels: [] }, 'a'),
      child('c', { labels: ['refactor'] }, 'b', 'b'),
      sampleBead('d'),
    ])
    expect(plan.goal).toBe('A shop')
    expect(phasesOf(plan.subtasks)).toEqual([['a'], ['b'], ['c']])
    expect(plan.subtasks).toMatchObject([
      { id: 'a', type: 'test', title: 'Do a', filesTouched: ['test/cart.ts', 'docs/'] },
      { id: 'b', type: 'impl', description: 'Do b', filesTouched: [], dependsOn: ['a'] },
      { id: 'c', type: 'refactor', dependsOn: ['b'] },
    ])
  })

  test('that are closed are left out, and the plan stays the same as long as the others do', () => {
    const open = [child('a'), child('b', {}, 'a')]
    const plan = planOf(open)
    const done = { status: 'done' as const }
    expect(epicPlan(epic, [child('a', done), open[1]!], plan, itself)).toEqual({ is: 'known' })
    expect(planOf([child('a', done), open[1]!]).subtasks).toMatchObject([{ id: 'b', dependsOn: [] }])
    expect(planOf([...open, child('c')], plan).subtasks).toHaveLength(3)
    expect(planOf([child('a', { title: 'Else' }), open[1]!], plan).subtasks[0]?.title).toBe('Else')
    expect(epicPlan(epic, [child('a', done), child('b', done)], plan, itself)).toEqual({ is: 'done' })
    expect(epicPlan(epic, [sampleBead('x')], null, itself)).toEqual({ is: 'none' })
  })

  test('may wait for finished work of another project, and for ended children of others', () => {
    const met = { dependsOn: 'external:api:v2', type: 'blocks', met: true as const }
    const waits = child('a', {}, 'x')
    const beads = [{ ...waits, dependencies: [...waits.dependencies, met] }, sampleBead('x', { status: 'done' })]
    expect(planOf(beads).subtasks).toMatchObject([{ id: 'a', dependsOn: [] }])
  })

  test.each([
    ['a circle', [child('a', {}, 'b'), child('b', {}, 'a')], 'in a circle: a → b → a'],
    ['too many', Array.from({ length: 41 }, (_, at) => child(`c${at}`)), 'has 41 open children'],
    [
      'one that waits for somebody else',
      [child('a', {}, 'x'), child('b'), sampleBead('x')],
      'a waits for x, which is no child',
    ],
    [
      'one that waits for a bead that nobody knows',
      [child('a', {}, 'gone'), child('b')],
      'a waits for gone, which is not in',
    ],
    [
      'one that waits for a bead that left the tracker',
      [child('a', {}, 'gone'), sampleBead('gone', { trackerStatus: 'tombstone' })],
      'a waits for gone, which is not in',
    ],
    [
      'one that waits for another project',
      [child('a', {}, 'external:api:v2')],
      'a waits for external:api:v2, which is not there',
    ],
  ])('that are %s are no plan, with the reason', (_, beads, said) => {
    const found = epicPlan(epic, beads, null, itself)
    expect(found).toMatchObject({ is: 'wrong' })
    expect(found.is === 'wrong' && found.problems.join(' ')).toContain(said)
  })
})
