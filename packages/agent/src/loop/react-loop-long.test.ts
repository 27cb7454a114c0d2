// @suite unit-long
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { branch, startKit, type Kit } from '../testing/session-kit.ts'
import { playLoop, type LoopBounds } from '../testing/play-loop.ts'
import { call, type Turn } from '../testing/scripted-model.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const play = (turns: Turn[], bounds?: LoopBounds) => playLoop(kit, turns, bounds)

const done: Turn = { text: 'All done.' }

test.each([401, 400, 429, 500])('an error %i of the gateway ends the session with its sentence', async (status) => {
  const { model, result } = await play([
    { status, body: JSON.stringify({ error: { message: 'check OPENAI_API_KEY' } }) },
  ])
  expect(result).toMatchObject({
    outcome: 'failed',
    reason: 'model_failed',
    text: 'the model cannot continue: check OPENAI_API_KEY',
  })
  expect(model.asked).toHaveLength(1)
})

test('an error without a sentence still says something', async () => {
  const { result } = await play([{ status: 502, body: '<html>bad gateway</html>' }])
  expect(result).toMatchObject({ outcome: 'failed', text: expect.stringContaining('502') })
})

test.each<[string, Turn, RegExp]>([
  ['no JSON', { stream: 'data: {"choices": [\n\ndata: [DONE]\n\n' }, /not JSON/],
  ['something else', { stream: 'data: 7\n\ndata: null\n\n' }, /not an answer|empty/],
  ['nothing', { stream: '' }, /empty answer/],
  ['an error within the stream', { stream: 'data: {"error":{"message":"overloaded"}}\n\n' }, /overloaded/],
])('a stream of %s fails with a sentence', async (_name, turn, sentence) => {
  const { result } = await play([turn])
  expect(result.outcome).toBe('failed')
  expect(result.text).toMatch(sentence)
})

test('a request that the gateway gave up waiting for is sent again; one that it refused is not', async () => {
  const again = await play([{ status: 408, body: '' }, done])
  expect(again.result.outcome).toBe('success')
  expect(again.model.asked).toHaveLength(2)
  const said = await play([
    { status: 408, body: JSON.stringify({ error: { message: 'the model is too slow' } }) },
    done,
  ])
  expect(said.result).toMatchObject({ outcome: 'failed', text: expect.stringContaining('the model is too slow') })
})

test('an answer that was cut off is continued, an empty one is requested again, but not for ever', async () => {
  const cut = await play([{ text: 'half', finish: 'length' }, done])
  expect(cut.result.outcome).toBe('success')
  expect(cut.model.asked[1]?.messages.slice(2).map(({ role }) => role)).toEqual(['assistant', 'user'])
  const empty = await play([{ text: ' ' }, { text: ' ' }, { text: ' ' }, done])
  expect(empty.result).toMatchObject({
    outcome: 'failed',
    reason: 'model_failed',
    text: expect.stringContaining('no usable answer'),
  })
})

test('long observations are cut before the model sees them', async () => {
  const { model } = await play([{ calls: [call('bash', { command: 'yes | head -c 1000000' })] }, done], {
    toolOutputLimit: 1000,
  })
  const observation = String(model.asked[1]?.messages.at(-1)?.content)
  // The path of the whole output is part of it, and its length depends on this test's folder.
  expect(observation.length).toBeLessThan(1170 + kit.tmp.length)
  expect(observation).toContain('characters left out')
})

test('the whole of a long output can be read in the next step', async () => {
  const { model } = await play(
    [
      { calls: [call('bash', { command: 'seq 1 3000' })] },
      { calls: [call('read_file', { path: join(kit.tmp, 'beadloom/output-1.txt'), first_line: 1500, line_count: 1 })] },
      done,
    ],
    { toolOutputLimit: 1000 },
  )
  const observed = model.asked.map(({ messages }) => String(messages.at(-1)?.content))
  expect(observed[1]).toContain(`the whole output is in ${join(kit.tmp, 'beadloom/output-1.txt')}`)
  expect(observed[2]).toBe('[lines 1500 to 1500 of 3000]\n1500')
})

test('a conversation that is too long for the model is shortened at its oldest results', async () => {
  const read = (at: number): Turn => ({ calls: [call('bash', { command: `yes | head -c ${4000 + at}` })] })
  const tooLong: Turn = {
    status: 400,
    body: JSON.stringify({ error: { message: 'too many tokens', code: 'context_length_exceeded' } }),
  }
  const { model, result } = await play([...Array.from({ length: 9 }, (_, at) => read(at)), tooLong, done], {
    maxSteps: 20,
  })
  expect(result.outcome).toBe('success')
  const results =
    model.asked
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content)) ?? []
  expect(results).toHaveLength(9)
  expect(results.slice(0, 3).every((text) => text.includes('characters of an old result were removed'))).toBe(true)
  expect(results.slice(3).every((text) => text.length > 3000)).toBe(true)
  expect(kit.record.text('warning')).toContain('too long for the model')
})

describe('an agent that loops', () => {
  test('with two alternating calls is warned, and may continue in another way', async () => {
    await kit.hub.commit(branch, { 'a.txt': 'one' })
    const edit = (from: string, to: string) => call('edit_file', { path: 'a.txt', old_text: from, new_text: to })
    const there: Turn = { calls: [edit('one', 'two'), edit('two', 'one')] }
    const { model, result } = await play([there, there, there, { calls: [edit('one', 'three')] }, done])
    expect(result).toMatchObject({ outcome: 'success' })
    expect(await kit.git('show', 'HEAD:a.txt')).toBe('three')
    expect(String(model.asked[3]?.messages.at(-1)?.content)).toContain('3 times the same two calls in turn')
    expect(kit.record.of('warning')).toHaveLength(1)
  })

  test('is not suspected while the output that it waits for changes', async () => {
    const { result } = await play([
      ...Array<Turn>(7).fill({ calls: [call('bash', { command: 'echo x >> n; wc -l < n' })] }),
      done,
    ])
    expect(result.outcome).toBe('success')
    expect(kit.record.of('warning')).toEqual([])
  })
})
