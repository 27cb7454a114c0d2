// @suite unit-long
import { beforeEach, expect, test } from 'vitest'
import { retryConditions } from '@beadloom/core/execution/fresh-starts/retry-condition.ts'
import type { FreshStartsOrder } from '@beadloom/core/execution/fresh-starts/fresh-starts.ts'
import { startKit, workWith, type Kit } from '../testing/session-kit.ts'
import { call, ScriptedModel, type Turn } from '../testing/scripted-model.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const TEMPLATE = 'E: {{error}}\nL: {{lastThought}}\nA: {{lastAction}}\nO: {{observation}}\nTask: {{originalTask}}'
const TASK = 'the prompt, with an ü\n'
const check = (type: 'build' | 'test', command: string) => ({ type, name: type, command, timeoutMs: 20_000 })
const bash = (command: string) => call('bash', { command })
const says = (text: string): Turn => ({ text })
const TSC = 'src/a.ts(3,5): error TS2322: Type string is not assignable to type number.'
/** A compiler that reports its error until `mended` exists. */
const build = check('build', `test -e mended || { echo '${TSC}'; exit 2; }`)

async function play(turns: Turn[], changed: Partial<FreshStartsOrder> | null = {}, maxSteps = 10) {
  const model = await ScriptedModel.start(...turns)
  const freshStarts = {
    maxRetries: 3,
    retryCondition: retryConditions.AllFailures,
    template: TEMPLATE,
    checks: [],
    ...changed,
  }
  const work = workWith({
    name: 'openai',
    model: 'scripted',
    maxSteps,
    toolTimeoutMs: 20_000,
    toolOutputLimit: 5000,
    ...(changed && { freshStarts }),
  })
  const result = await kit.run(work, { linkUrl: model.url })
  const firstMessages = model.asked.map(({ messages }) => String(messages[1]?.content))
  return { model, result, prompts: [...new Set(firstMessages)] }
}

const attempts = () => kit.record.of('fresh_start').map(({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}`)

test('a build error is reported with its line, and mended at the second attempt', async () => {
  const { model, result, prompts } = await play(
    [
      { text: 'I write it.', calls: [bash('echo one > a.txt')] },
      says('It is done.'),
      { text: 'I mend it.', calls: [bash('touch mended')] },
      says('Now it is.'),
    ],
    { checks: [build, check('test', 'touch tested')] },
  )
  expect(result).toMatchObject({ outcome: 'success', text: 'the agent finished' })
  expect(attempts()).toEqual(['1/4', '2/4'])
  expect(prompts).toHaveLength(2)
  expect(prompts[1]).toContain(`1 build error:\n${TSC}`)
  expect(prompts[1]).toContain('L: I write it.\nA: bash({"command":"echo one > a.txt"})\nO: [exit code 0]')
  expect(prompts[1]?.endsWith(`Task: ${TASK}`)).toBe(true)
  // A fresh conversation: nothing of the first one but what the prompt says.
  expect(model.asked[2]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(kit.record.text('warning')).toBe(
    `[REACT] Attempt 1 failed: its checks fail: build (${build.command}): 1 build error: ${TSC}. Retrying...`,
  )
  const checks = kit.record.of('section_end').filter(({ title }) => title.startsWith('check '))
  expect(checks.map(({ title, exitCode }) => [title, exitCode])).toEqual([
    ['check build', 2],
    ['check build', 0],
    ['check test', 0],
  ])
})

test('a failed test is reported by its name, and mended', async () => {
  const red = check(
    'test',
    "test -e mended || { printf 'not ok 1 - adds two numbers\\n# tests 1\\n# fail 1\\n'; exit 1; }",
  )
  const { result, prompts } = await play([says('It is done.'), { calls: [bash('touch mended')] }, says('Now it is.')], {
    checks: [red],
    retryCondition: retryConditions.TestFailures,
  })
  expect(result.outcome).toBe('success')
  expect(prompts[1]).toContain('adds two numbers')
})

test('the original task is in each prompt once, and no prompt is inside another', async () => {
  const step = (at: number): Turn => ({ text: `Look ${at}.`, calls: [bash(`echo look ${at}`)] })
  const { result, prompts } = await play([step(1), step(2), step(3), says('Done.')], {}, 1)
  expect(result.outcome).toBe('success')
  expect(prompts).toHaveLength(4)
  for (const prompt of prompts) expect(prompt.split(TASK)).toHaveLength(2)
  expect(prompts[3]).toContain('look 3')
  expect(prompts[3]).not.toContain('look 2')
})

test('with all attempts used up it fails with their number and the last error, and every step is recorded', async () => {
  const step = (at: number): Turn => ({ calls: [bash(`echo look ${at}`)] })
  const { model, result } = await play([1, 2, 3, 4].map(step), { maxRetries: 1 }, 2)
  expect(result).toMatchObject({
    outcome: 'turn_limit',
    text: 'Failed after 2 attempts. Last error: the agent used all of its 2 steps',
  })
  expect(model.asked).toHaveLength(4)
  expect(kit.record.of('step').map((each) => each.step)).toEqual([1, 2, 1, 2])
  expect(kit.record.of('tool_result').map(({ text }) => text.split('\n')[0])).toEqual(
    [1, 2, 3, 4].map((at) => `look ${at}`),
  )
  // Tokens are counted over all attempts.
  const spent = kit.record.of('usage').map(({ cumulativeTokens = 0 }) => cumulativeTokens)
  expect(spent).toEqual(spent.toSorted((a, b) => a - b))
  expect(new Set(spent).size).toBe(4)
})

test('checks that still fail after the last attempt are reported, and the work is left to the verification', async () => {
  const { result } = await play([says('Done.'), says('Done again.')], { maxRetries: 1, checks: [build] })
  expect(result).toMatchObject({ outcome: 'success', text: expect.stringContaining('the verification decides') })
  expect(kit.record.text('warning')).toContain('Failed after 2 attempts. Last error: its checks fail: build')
})

test('without fresh starts the first failure ends it, and attempts are not mentioned', async () => {
  const { result, model } = await play([{ calls: [bash('true')] }, says('Done.')], null, 1)
  expect(result).toMatchObject({ outcome: 'turn_limit', text: 'the agent used all of its 1 steps' })
  expect(model.asked).toHaveLength(1)
  expect(attempts()).toEqual([])
})

test('a failure of another kind ends it at once, as it is', async () => {
  const { result, model } = await play(
    [{ calls: [bash('true')] }, says('Done.')],
    { retryCondition: retryConditions.BuildErrors },
    1,
  )
  expect(result).toMatchObject({ outcome: 'turn_limit', text: 'the agent used all of its 1 steps' })
  expect(model.asked).toHaveLength(1)
  expect(attempts()).toEqual(['1/4'])
})

test.each<[string, Turn, object]>([
  [
    'a model that refuses',
    { status: 400, body: JSON.stringify({ error: { message: 'no' } }) },
    { outcome: 'failed', reason: 'model_failed', text: 'the model cannot continue: no' },
  ],
  [
    'a limit of tokens',
    { status: 400, body: JSON.stringify({ error: { message: 'used up', code: 'budget_exhausted' } }) },
    { outcome: 'failed', text: 'the model cannot continue: used up' },
  ],
  ['an agent that is blocked', says('BLOCKED: which colour?'), { text: 'the agent is blocked: which colour?' }],
])('%s is no reason to begin again', async (_name, turn, end) => {
  const { result, model } = await play([turn, says('Done.')], { checks: [build] })
  expect(result).toMatchObject(end)
  expect(model.asked).toHaveLength(1)
})

test('an agent that loops begins again, and is told about it', async () => {
  const again: Turn = { calls: [bash('echo the same')] }
  const { result, prompts } = await play([...Array<Turn>(5).fill(again), says('Done.')])
  expect(result.outcome).toBe('success')
  expect(prompts[1]).toContain('do not repeat what gave the same result each time')
})

test('a stop between two attempts is no failure to begin again after', async () => {
  const stopper = new AbortController()
  const model = await ScriptedModel.start(says('Done.'), says('Done again.'))
  const waits = check('build', 'echo checking; sleep 1000')
  const freshStarts = { maxRetries: 3, retryCondition: 15, template: TEMPLATE, checks: [waits] }
  const running = kit.run(
    workWith({
      name: 'openai',
      model: 'm',
      maxSteps: 5,
      toolTimeoutMs: 60_000,
      toolOutputLimit: 1000,
      freshStarts: { ...freshStarts, checks: [{ ...waits, timeoutMs: 600_000 }] },
    }),
    { linkUrl: model.url, stop: stopper.signal },
  )
  await kit.record.waitFor('checking\\n')
  stopper.abort()
  expect(await running).toMatchObject({ outcome: 'failed', reason: 'stopped' })
  expect(model.asked).toHaveLength(1)
})

test('a check that does not end is stopped, and reported as a failure', async () => {
  const slow = { ...check('test', 'echo begun; sleep 1000'), timeoutMs: 300 }
  const { prompts } = await play([says('Done.'), says('Done.')], { maxRetries: 1, checks: [slow] })
  expect(prompts[1]).toContain('the test command did not end within')
})
