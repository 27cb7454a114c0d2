import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* The built-in agent starts a fresh conversation within its session: from the HTTP request to the merged work. */
const folder = mkdtempSync(join(tmpdir(), 'bl-fresh-'))
afterEach(() => rmSync(join(folder, 'scenarios'), { recursive: true, force: true }))
beforeEach(() => mkdirSync(join(folder, 'scenarios')))
const start = worldsOfATest()

const bash = (command: string) => ({ tool: 'bash', arguments: { command } })
/** With these words in its prompt, a fresh conversation continues its script at that turn. */
const played = (turns: number) => `(scripted turns so far: ${turns})`

const TSC = 'src/a.ts(3,5): error TS2322: Type string is not assignable to type number.'
const build = `test ! -e broken || { echo '${TSC}'; exit 2; }`
/** Its reviewer, a sub-agent, overlooks that the build fails. */
const reader = [{ say: 'No issues.' }]
const mending = [
  {
    say: `I write it, and have it read. ${played(2)}`,
    calls: [
      bash('touch work.txt broken; git add -A; git commit -qm work; git push -q'),
      { tool: 'spawn_subagent', arguments: { agent: 'code-review-agent', task: 'Review the work.' } },
    ],
  },
  { say: 'It is done.' },
  { say: 'I mend it.', calls: [bash('git rm -q broken; git commit -qm mended; git push -q')] },
  { say: 'Now it is.' },
]

async function worldWith(turns: object[], freshStarts?: object) {
  const scenarios = join(folder, 'scenarios')
  writeFileSync(
    join(scenarios, 'again.json'),
    JSON.stringify({
      name: 'again',
      about: 'A second attempt.',
      beads: { 'f-1': { turns }, 'code-review-agent:f-1': { turns: reader } },
    }),
  )
  const world = await start({ scenarios })
  const config = {
    agent: 'openai',
    model: 'scripted',
    scenario: 'again',
    command: undefined,
    test: undefined,
    verify: [
      { type: 'build', command: build },
      { type: 'test', command: 'test -e work.txt' },
    ],
    verification: { maxAttempts: 1 },
    ...(freshStarts && { freshStarts }),
  }
  await world.addProject('fresh', shellProject({ agent: '', config }), [{ id: 'f-1', title: 'Begin again' }])
  return world
}

type World = Awaited<ReturnType<typeof worldWith>>
const logOf = (world: World, { sessions }: Awaited<ReturnType<World['run']>>) =>
  world.log(sessions.find(({ kind }) => kind === 'work')?.id ?? '')

test('the loop asks a sub-agent, and mends a build error at its second attempt, within one session', async () => {
  const world = await worldWith(mending)
  const ended = await world.run('fresh', 'f-1', { retryOnFailure: true, maxRetries: 2 })
  expect(ended).toMatchObject({
    state: 'COMPLETED',
    attempt: 1,
    retryAttempt: 0,
    chosen: { retryOnFailure: true, maxRetries: 2 },
  })
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
  const log = await logOf(world, ended)
  expect(log).toMatch(/^· \[REACT\] Attempt 1\/3 for task$/m)
  expect(log).toMatch(/^! \[REACT\] Attempt 1 failed: its checks fail: build .*error TS2322.*\. Retrying\.\.\.$/m)
  expect(log).toMatch(/^· \[REACT\] Attempt 2\/3 for task$/m)
  expect(log).not.toContain('Attempt 3/3')
  const events = await world.events(ended.id)
  expect(events.filter(({ type }) => type === 'fresh_start').map(({ data }) => data)).toEqual([
    { attempt: 1, maxAttempts: 3 },
    { attempt: 2, maxAttempts: 3 },
  ])
  expect(log).toMatch(/^⑂ code-review-agent#1 › No issues\.$/m)
  // The steps of both attempts are kept, and the use of both and of the sub-agent is one number.
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(3)
  const last = events.findLast(({ type }) => type === 'usage')?.data as { cumulativeTokens: number }
  expect(ended.tokens.input + ended.tokens.output).toBe(last.cumulativeTokens)
})

longTest('without them the same bead fails, and the file can turn them on', async () => {
  const off = await worldWith(mending)
  const failed = await off.run('fresh', 'f-1')
  expect(failed).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(await logOf(off, failed)).not.toContain('[REACT]')

  const on = await worldWith(mending, { retryOnFailure: true, retryCondition: ['BuildErrors'] })
  expect(await on.run('fresh', 'f-1')).toMatchObject({ state: 'COMPLETED' })
})

longTest(
  'a failure of another kind is left to the verification, and one execution can do without fresh starts',
  async () => {
    const world = await worldWith(mending, { retryOnFailure: true, retryCondition: ['TestFailures'] })
    const ended = await world.run('fresh', 'f-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
    expect(await logOf(world, ended)).not.toContain('Attempt 2/4')
    const without = await world.run('fresh', 'f-1', { retryOnFailure: false })
    expect(await logOf(world, without)).not.toContain('[REACT]')
  },
)

longTest(
  'they are for the built-in agent: another one that is asked for them is refused before it starts',
  async () => {
    const world = await worldWith(mending)
    const answer = await world.api('POST', '/api/projects/fresh/beads/f-1/executions', {
      agent: 'codex',
      retryOnFailure: true,
    })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: expect.objectContaining({
          code: 'agent_unusable',
          message: expect.stringContaining('codex works on f-1'),
        }),
      },
    })
  },
)
