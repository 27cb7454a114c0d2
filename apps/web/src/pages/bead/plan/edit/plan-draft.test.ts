import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { nineSubtasks, planOf as anyPlan } from '@beadloom/core/plan/plan-kit.ts'
import { readPlan } from '@beadloom/core/plan/read-plan.ts'
import { describe, expect, test } from 'vitest'
import { added, changed, draftOf, isChanged, moved, planOf, problemsAbout, removed } from './plan-draft.ts'

const plan = { ...anyPlan(nineSubtasks), newest: 3, version: 3 } as PlanView
const draft = draftOf(plan)
const idsAfter = (id: string, given = draft) => planOf(given).subtasks.find((one) => one.id === id)?.dependsOn

describe('a draft of a plan', () => {
  test('is the same plan as long as nothing is typed, and is saved on top of the newest version', () => {
    expect(planOf(draft)).toEqual(anyPlan(nineSubtasks))
    expect(isChanged(draft)).toBe(false)
    expect(isChanged({ ...draft, goal: 'Another.' })).toBe(true)
    expect(draft.onto).toBe(3)
  })

  test('takes one file a line, whatever is around it', () => {
    const typed = changed(draft, 0, { files: ' a.ts \n\n\tb.ts\n' })
    expect(planOf(typed).subtasks[0]?.filesTouched).toEqual(['a.ts', 'b.ts'])
  })

  test('keeps dependencies on a subtask while its id is retyped, letter by letter', () => {
    // While typed, the id is empty for a moment, and then equal to another one.
    const typed = ['', '5', '5x'].reduce((one, id) => changed(one, 0, { id }), draft)
    expect(idsAfter('2a', typed)).toEqual(['5x'])
    expect(readPlan(planOf(typed))).toMatchObject({ plan: expect.anything() })
  })

  test('gives a new subtask a free id, and removes one with all dependencies on it', () => {
    const more = added(draft)
    expect(more.subtasks.at(-1)).toMatchObject({ id: '10', key: 9, dependsOn: [] })
    expect(idsAfter('2a', removed(more, 0))).toEqual([])
    // A new key is never another subtask's.
    const keys = added(removed(draft, 3)).subtasks.map(({ key }) => key)
    expect(new Set(keys).size).toBe(9)
  })

  test('has an order that can be changed, up to its ends', () => {
    expect(
      moved(draft, 0, 1)
        .subtasks.map(({ id }) => id)
        .slice(0, 3),
    ).toEqual(['1b', '1a', '2a'])
    expect(moved(draft, 0, -1)).toBe(draft)
  })

  test('shows each subtask its own problems', () => {
    const bad = changed(changed(draft, 0, { files: '' }), 1, { id: 'no good' })
    const read = readPlan(planOf(bad))
    if (!('problems' in read)) throw new Error('it has none')
    expect(problemsAbout(read.problems, { id: '1a' }, 0)).toEqual([expect.stringContaining('touches no files')])
    expect(problemsAbout(read.problems, { id: 'no good' }, 1)).toEqual([expect.stringContaining('has the id')])
    expect(problemsAbout(read.problems, { id: '5' }, 8)).toEqual([])
  })
})
