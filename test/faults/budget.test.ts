import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { GrantsView } from '@beadloom/core/api/budgets/budget-api.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { sized } from '../crash/size.ts'
import { Victim } from '../crash/victim.ts'
import { shellProject } from '../support/shell-project.ts'

/*
 * A server is killed while an execution waits at a limit, and while it is granted more. No call is in flight, so every
 * token is known.
 */
const victims: Victim[] = []
const scenarios = mkdtempSync(join(tmpdir(), 'bl-frozen-'))
afterAll(async () => {
  for (const victim of victims) await victim.remove()
  rmSync(scenarios, { recursive: true, force: true })
})

const KILLS = sized(2, 12)

test('a wait at a limit survives kills of its server, a grant counts once, and no call is made or counted twice', async () => {
  const turns = [
    { say: 'I look.', calls: [{ tool: 'bash', arguments: { command: 'echo done > done.txt' } }] },
    { say: 'I commit.', calls: [{ tool: 'bash', arguments: { command: 'git add -A; git commit -qm done' } }] },
    { say: 'It is done.' },
  ]
  const scenario = { name: 'small', about: 'A small piece of work.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'small.json'), JSON.stringify(scenario))
  const victim = await Victim.start({ env: { BEADLOOM_SCENARIOS: scenarios } })
  victims.push(victim)
  const agent = { agent: 'openai', model: 'scripted', scenario: 'small', command: undefined }
  const config = { ...agent, onLimit: 'ask', limits: { maxTokensPerBead: 10 } }
  await victim.addProject('p', { files: shellProject({ agent: '', config }), beads: [{ id: 'p-1', title: 'One' }] })
  const id = await victim.queue('p', 'p-1', {})
  await victim.until(id, ({ waits }) => waits?.kind === 'budget')
  const before = await victim.execution(id)

  for (let kills = 0; kills < KILLS; kills++) {
    await victim.kill()
    await victim.again()
    const { waits, tokens, state } = await victim.execution(id)
    expect({ waits, tokens, state }).toEqual({
      waits: before.waits,
      tokens: before.tokens,
      state: 'RUNNING',
    })
  }

  const path = `/api/executions/${id}/grants`
  const grant = (key: string, tokens: number) => victim.keyed<ExecutionView>(path, key, { tokens })
  await grant('one-more-call', 1)
  const since = waitOfKind(before.waits, 'budget')?.since
  await victim.until(id, ({ waits }) => waits?.kind === 'budget' && waits.since !== since)
  const second = await victim.execution(id)
  await victim.kill()
  await victim.again()
  await grant('one-more-call', 1) // the answer to the first one was lost
  expect((await victim.execution(id)).waits).toEqual(second.waits)
  await grant('enough', 1_000_000)
  const events = await victim.ended(id)
  const ended = await victim.execution(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect((await victim.api<GrantsView>('GET', path)).items).toHaveLength(2)
  // The server counted exactly the usage that the agent reported for each answer.
  const heard = events.filter(({ type }) => type === 'usage').map(({ data }) => data as Heard)
  expect(heard).toHaveLength(turns.length)
  const sum = (key: keyof Heard) => heard.reduce((all, one) => all + one[key], 0)
  expect(ended.tokens).toMatchObject({ input: sum('input'), output: sum('output') })
})

type Heard = { input: number; output: number }
