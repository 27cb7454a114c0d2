import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '@beadloom/core/execution/session-order.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { branch, saveRef, startKit, workWith, type Kit } from '../testing/session-kit.ts'
import { playLoop, type LoopBounds } from '../testing/play-loop.ts'
import { call, ScriptedModel, type Turn } from '../testing/scripted-model.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const play = (turns: Turn[], bounds?: LoopBounds) => playLoop(kit, turns, bounds)

const done: Turn = { text: 'All done.' }

test('the agent thinks, acts and observes until it answers without a tool call', async () => {
  const { model, result } = await play([
    {
      text: 'I write the file.',
      calls: [call('write_file', { path: 'a.txt', content: 'one' })],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    },
    {
      calls: [
        call('bash', { command: 'cat a.txt' }),
        call('edit_file', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
      ],
    },
    { text: 'All done.', usage: { prompt_tokens: 20, completion_tokens: 2 } },
  ])
  expect(result).toMatchObject({ outcome: 'success', dirty: false, commit: await kit.hub.tip(branch) })
  expect(await readFile(join(kit.workspace, 'a.txt'), 'utf8')).toBe('two')
  const types = kit.record.events.map(({ type }) => type).filter((type) => type !== 'output')
  const act = 'tool_call tool_result'
  expect(types.join(' ')).toBe(
    `section section_end section step message usage ${act} step usage ${act} ${act} step message usage section_end section section_end section section_end result`,
  )
  expect(kit.record.of('tool_result').map(({ ok, text }) => [ok, text])).toEqual([
    [true, 'wrote 3 bytes to a.txt'],
    [true, 'one\n[exit code 0]'],
    [true, 'replaced the passage at line 1 of a.txt'],
  ])
  const known = kit.record.of('usage').filter(({ estimated }) => !estimated)
  expect(known.map(({ input, output }) => [input, output])).toEqual([
    [10, 5],
    [20, 2],
  ])
  expect(kit.record.of('step').map(({ step, maxSteps }) => [step, maxSteps])).toEqual([
    [1, 10],
    [2, 10],
    [3, 10],
  ])
  expect(model.asked[0]).toMatchObject({ model: 'scripted', stream: true })
  expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(model.asked[0]?.messages[1]?.content).toBe('the prompt, with an ü\n')
  expect(model.asked[2]?.messages.slice(2).map(({ role }) => role)).toEqual([
    'assistant',
    'tool',
    'assistant',
    'tool',
    'tool',
  ])
})

test('the steps are limited, and leftovers are saved', async () => {
  const turn: Turn = { calls: [call('bash', { command: 'echo x >> a.txt' })] }
  const { model, result } = await play([turn, turn, turn, turn], { maxSteps: 3 })
  expect(result).toMatchObject({
    outcome: 'turn_limit',
    reason: undefined,
    text: 'the agent used all of its 3 steps',
    savedRef: saveRef,
    dirty: true,
  })
  expect(model.asked).toHaveLength(3)
})

test('a model that calls tools wrongly is told so and can continue', async () => {
  const { model, result } = await play([
    { calls: [call('bash', '{"command":'), call('teleport', {}), { ...call('read_file', { path: '../x' }), id: '' }] },
    done,
  ])
  expect(result.outcome).toBe('success')
  expect(kit.record.of('tool_result').map(({ ok }) => ok)).toEqual([false, false, false])
  expect(kit.record.of('tool_call')[0]?.arguments).toBe('{"command":')
  expect(kit.record.of('tool_result')[1]?.text).toContain(
    'there is no tool teleport; the tools are bash, search, read_file',
  )
  const [, , assistant, ...results] = model.asked[1]?.messages ?? []
  const calls = assistant?.tool_calls as { id: string; function: { arguments: string } }[]
  expect(calls.map(({ function: { arguments: args } }) => JSON.parse(args))).toHaveLength(3)
  expect(results.map((message) => (message as { tool_call_id?: string }).tool_call_id)).toEqual(
    calls.map(({ id }) => id),
  )
  expect(calls.every(({ id }) => id)).toBe(true)
})

test('a connection that breaks is tried again, and nothing is said twice', async () => {
  const { result, model } = await play([{ reset: 'before' }, { reset: 'within' }, done])
  expect(result.outcome).toBe('success')
  expect(model.asked).toHaveLength(3)
  expect(kit.record.text('message')).toBe('All done.')
  expect(kit.record.of('warning')).toHaveLength(1)
})

describe('an agent that loops', () => {
  const again: Turn = { text: 'Again.', calls: [call('bash', { command: 'echo x >> a.txt; seq 1 3000' })] }

  test('is warned once, like people, and its session fails when it continues; its work is saved', async () => {
    // The output is cut and kept in another file each time, but still counts as the same.
    const { model, result } = await play(Array<Turn>(9).fill(again), { toolOutputLimit: 1000 })
    expect(result).toMatchObject({ outcome: 'failed', reason: 'agent_repeats', dirty: true, savedRef: saveRef })
    expect(result.text).toMatch(
      /^the agent kept repeating itself after it was warned: 4 times the same call with the same result, bash \{"command":"echo x >> a\.txt; seq 1 3000"\}$/,
    )
    expect(model.asked).toHaveLength(5)
    expect(model.asked[4]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/^You are repeating yourself: .* if you continue like this, the session ends\.$/),
    })
    expect(kit.record.of('warning').map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^the agent is repeating itself: 4 times the same call .*; if it carries on, the session ends$/,
      ),
    ])
  })
})

test('BLOCKED in the agent’s own words keeps the work from being published', async () => {
  const { result } = await play([
    { calls: [call('write_file', { path: 'a', content: 'half' })] },
    { text: 'I looked.\nBLOCKED: no access to the schema' },
  ])
  expect(result).toMatchObject({
    outcome: 'failed',
    text: 'the agent is blocked: no access to the schema',
    savedRef: saveRef,
  })
})

test('its last words stay in its conversation: a question is there when it continues with the answer', async () => {
  await play([{ calls: [call('bash', { command: 'true' })] }, { text: 'BLOCKED: which schema?' }])
  const kept = await readFile(join(kit.tmp, '.beadloom', 'conversation.json'), 'utf8')
  expect((JSON.parse(kept) as unknown[]).at(-1)).toEqual({ role: 'assistant', content: 'BLOCKED: which schema?' })
})

test('its prompt is in the kept conversation at once: a session that is killed leaves it to the next', async () => {
  const folder = join(kit.tmp, '.beadloom')
  const [earlier, next] = [{ role: 'user', content: 'Greet.' }, 'Greet the moon, too.']
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'agent'), 'openai')
  await writeFile(join(folder, 'conversation.json'), JSON.stringify([{ role: 'system', content: '' }, earlier]))
  const bounds = { maxSteps: 5, toolTimeoutMs: 20_000, toolOutputLimit: 5000 }
  const copy = 'cp .beadloom/conversation.json seen.json'
  const model = await ScriptedModel.start({ calls: [call('bash', { command: `cd '${kit.tmp}' && ${copy}` })] }, done)
  const work = { ...workWith({ name: 'openai', model: 'm', ...bounds }, false), continues: next }
  expect(await kit.run(work as Work, { linkUrl: model.url })).toMatchObject({ outcome: 'success' })
  const seen: unknown = JSON.parse(await readFile(join(kit.tmp, 'seen.json'), 'utf8'))
  expect(seen).toEqual([{ role: 'system', content: expect.any(String) }, earlier, { role: 'user', content: next }])
})

test("BLOCKED in a tool's output means nothing", async () => {
  const { result } = await play([{ calls: [call('bash', { command: 'echo BLOCKED: by a test' })] }, done])
  expect(result.outcome).toBe('success')
})

test('a stop while the model thinks ends the session', async () => {
  const stopper = new AbortController()
  const model = await ScriptedModel.start({ calls: [call('bash', { command: 'echo begun; sleep 1000' })] })
  const work = workWith({ name: 'openai', model: 'm', maxSteps: 5, toolTimeoutMs: 600_000, toolOutputLimit: 1000 })
  const running = kit.run(work, { linkUrl: model.url, stop: stopper.signal })
  await kit.record.waitFor('"tool_call"')
  stopper.abort()
  expect(await running).toMatchObject({ outcome: 'failed', reason: 'stopped', text: 'the session was stopped' })
})
