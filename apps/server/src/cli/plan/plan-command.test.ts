import { describe, expect, test } from 'vitest'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { HOSTILE, OBEYED } from '../testing/views.ts'
import { planIn } from './plan-file.ts'
import { planText } from './plan-text.ts'

const subtask = (id: string, dependsOn: string[], title = `Do ${id}`) => ({
  id,
  title,
  description: 'All of it.',
  type: 'test' as const,
  dependsOn,
  filesTouched: [`src/${id}.ts`],
})

const view = (over: Partial<PlanView> = {}): PlanView => ({
  project: 'demo',
  bead: 'bl-1',
  version: 2,
  newest: 2,
  source: 'architect',
  execution: null,
  commit: null,
  goal: 'A blog.',
  planMarkdown: '# A blog',
  subtasks: [subtask('1a', []), subtask('2a', ['1a'])],
  phases: [['1a'], ['2a']],
  phased: true,
  warnings: ["Subtask '2a' waits."],
  madeAt: 1,
  approvedAt: null,
  ...over,
})

describe('a plan for people', () => {
  test('is its goal, the tree of its phases, possible surprises, and what to do next', () => {
    expect(planText(view())).toBe(`Plan of bl-1, version 2, by an architect.

A blog.

Phase 1 (test): ○ Pending - Do 1a
  └── ○ [test] Do 1a
Phase 2 (test): ○ Pending - Do 2a
  └── ○ [test] Do 2a

! Subtask '2a' waits.

Approve it: beadloom plan bl-1 --approve
Change it: beadloom plan bl-1 --json > plan.json, edit that, then beadloom plan bl-1 --from plan.json`)
  })

  test('says when it is approved, is not the newest, or is one session’s work', () => {
    expect(planText(view({ approvedAt: 5 }))).toMatch(/Approved\.$/)
    expect(planText(view({ newest: 3 }))).toContain('The newest version is 3.')
    expect(planText(view({ subtasks: [], phases: [], phased: false }))).toContain('One session does all of it')
  })

  test('never controls the terminal', () => {
    const text = planText(view({ goal: HOSTILE, subtasks: [subtask('1a', [], HOSTILE)], phases: [['1a']] }))
    expect(text).not.toMatch(OBEYED)
  })
})

describe('a file', () => {
  test('is sent as it is, whatever is in it: the server names all problems', () => {
    expect(planIn('{"goal": 1}', 'plan.json')).toEqual({ plan: { goal: 1 }, onto: null })
  })

  test('printed by --json is the plan in it, on top of the version that it was', () => {
    const { goal, planMarkdown, subtasks } = view()
    expect(planIn(JSON.stringify(view()), 'plan.json')).toEqual({ plan: { goal, planMarkdown, subtasks }, onto: 2 })
  })

  test('that is not JSON is refused here', () => {
    expect(() => planIn('goal: a blog', 'plan.yaml')).toThrow('plan.yaml: The answer is not one JSON document')
  })
})
