import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import { CliError } from '../exit-code.ts'
import { editPlan } from './plan-edit.ts'

const plan = planOf([subtaskOf('1'), subtaskOf('2')], { goal: 'A blog.' })
const view = { ...plan, version: 3, newest: 3, phases: [['1', '2']] } as unknown as PlanView

async function edited(EDITOR: string, given: { view?: PlanView | null; fails?: Error } = {}) {
  const stored: { plan: unknown; onto: number }[] = []
  const result = await editPlan({
    bead: 'bl-1',
    view: given.view === undefined ? view : given.view,
    env: { PATH: process.env['PATH'], EDITOR },
    store: async (what, onto) => {
      if (given.fails) throw given.fails
      stored.push({ plan: what, onto })
      return view
    },
  }).catch((error: unknown) => error)
  return { result, stored }
}

test('the edited text is stored on top of the version that it began with', async () => {
  const { result, stored } = await edited(`sed -i 's/A blog[.]/A shop./'`)
  expect(result).toBe(view)
  expect(stored).toEqual([{ plan: { ...plan, goal: 'A shop.' }, onto: 3 }])
})

test('a bead without a plan begins with an empty one', async () => {
  const { stored } = await edited(`sed -i 's/"goal": ""/"goal": "A shop."/'`, { view: null })
  expect(stored).toEqual([{ plan: { goal: 'A shop.', planMarkdown: '', subtasks: [] }, onto: 0 }])
})

test('nothing is stored if nothing was changed, or the editor failed', async () => {
  expect(await edited('true')).toEqual({ result: null, stored: [] })
  const { result, stored } = await edited('false')
  expect([(result as CliError).message, stored]).toEqual(['the editor ended with exit code 1: nothing was stored', []])
})

test('a text that the server refuses, or that is not JSON, stays in its file', async () => {
  const fails = new CliError('The plan has a problem.')
  for (const [editor, more, said] of [
    [`sed -i 's/A blog/A shop/'`, { fails }, 'The plan has a problem.'],
    [`sed -i 's/^}//'`, {}, 'JSON'],
  ] as const) {
    const { message } = (await edited(editor, more)).result as CliError
    expect(message).toContain(said)
    const [, file = ''] = /beadloom plan bl-1 --from (\S+)$/.exec(message) ?? []
    expect(readFileSync(file, 'utf8')).toContain('"subtasks"')
  }
})

test('without an editor, the manual way is explained', async () => {
  const { result } = await edited(' ')
  expect((result as CliError).message).toContain('beadloom plan bl-1 --json > plan.json')
})
