import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isObject } from './json.ts'
import type { AgentNews } from './preset.ts'
import { presetNames, presets, type PresetName } from './presets.ts'

/** What the real agents printed, in containers, with the scripted model. */
const samples = join(import.meta.dirname, '../../../../test/samples/agent-output')

/** Every line of a sample through one translator; lines that it does not know are counted. */
function translated(agent: PresetName, sample: string): { news: AgentNews[]; unknown: string[] } {
  const translate = presets[agent].translator()
  const news: AgentNews[] = []
  const unknown: string[] = []
  for (const text of readFileSync(join(samples, `${agent}-${sample}.jsonl`), 'utf8').split('\n')) {
    if (!text.startsWith('{')) continue
    const line: unknown = JSON.parse(text)
    const meaning = isObject(line) ? translate(line) : null
    if (meaning === null) unknown.push(text)
    else if (meaning !== 'repeats') news.push(...meaning)
  }
  return { news, unknown }
}

const of = <T extends AgentNews['type']>(news: AgentNews[], type: T) =>
  news.filter((one): one is Extract<AgentNews, { type: T }> => one.type === type)

describe.each(presetNames)('what %s prints', (agent) => {
  test('is its own text, its calls with their results, and its tokens', () => {
    const { news, unknown } = translated(agent, 'normal')
    expect(unknown).toEqual([])
    expect(of(news, 'message').length).toBeGreaterThan(2)
    const calls = of(news, 'tool_call')
    expect(calls.length).toBeGreaterThan(2)
    expect(
      of(news, 'tool_result')
        .map(({ call }) => call)
        .sort(),
    ).toEqual(calls.map(({ call }) => call).sort())
    expect(of(news, 'tool_result').every(({ ok }) => ok)).toBe(true)
    for (const { tool, arguments: given } of calls) expect([tool, given]).not.toContain('')
    const usage = of(news, 'usage').reduce((sum, { input, output }) => sum + input + output, 0)
    expect(usage).toBeGreaterThan(1000)
    expect(of(news, 'warning')).toEqual([])
  })

  test('shows a command that fails as a result that is not good, with its output', () => {
    const { news } = translated(agent, 'failing-command')
    const bad = of(news, 'tool_result').filter(({ ok }) => !ok)
    expect(bad.some(({ text }) => text.includes('expected 4, got 3'))).toBe(true)
  })

  test('ends with the line that asks a person, in its own text', () => {
    const said = of(translated(agent, 'blocked').news, 'message')
    expect(said.at(-1)?.text).toMatch(/^BLOCKED: /m)
  })

  test('says that the API refused for good, and why', () => {
    const { news } = translated(agent, 'error-400')
    expect(of(news, 'over')).toMatchObject([{ how: 'failed', text: expect.stringContaining('token budget') }])
  })

  test.each(['error-429', 'error-500'])('is a failure after an %s, in one end', (sample) => {
    const ends = of(translated(agent, sample).news, 'over')
    expect(ends.at(-1)).toMatchObject({ how: 'failed' })
  })

  test('may be anything else, which is no news', () => {
    const translate = presets[agent].translator()
    expect(translate({ type: 'level', message: 3 })).toBeNull()
    expect(translate({})).toBeNull()
  })
})

test('an interrupted call has no result, and nothing says that the work is over', () => {
  for (const agent of ['codex', 'pi'] as const) {
    const { news } = translated(agent, 'interrupted')
    expect(of(news, 'tool_call').length).toBeGreaterThan(of(news, 'tool_result').length)
    expect(of(news, 'over')).toEqual([])
  }
})

test('a patch of Codex is a call and its result', () => {
  const { news } = translated('codex', 'patched')
  expect(of(news, 'tool_call')).toMatchObject([
    { tool: 'apply_patch', arguments: expect.stringContaining('notes.txt') },
  ])
  expect(of(news, 'tool_result')).toMatchObject([{ ok: true }])
})

test('what a sub-agent of Claude Code says is not the agent’s own word', () => {
  const content = [{ type: 'text', text: 'BLOCKED: mine' }]
  const translate = presets.claude.translator()
  expect(translate({ type: 'assistant', parent_tool_use_id: 't1', message: { content } })).toEqual([])
})

test('a sign of life of Claude Code in a long command is no news, and no line of the log', () => {
  const line = { type: 'tool_progress', heartbeat: true, session_id: 'e296c18a', uuid: '88cb12e2' }
  expect(presets.claude.translator()(line)).toEqual([])
})

test('an error that opencode repeats as JSON, and any other, is told as its sentence', () => {
  const over = (message: string) =>
    presets.opencode.translator()({ type: 'error', error: { name: 'UnknownError', data: { message } } })
  const silent = { message: 'the model endpoint sent nothing', type: 'server_error', code: 'model_silent' }
  expect(over(JSON.stringify(silent))).toEqual([{ type: 'over', how: 'failed', text: silent.message }])
  for (const text of ['Connection reset by server', '{"message":', '{"code":1}'])
    expect(over(text)).toEqual([{ type: 'over', how: 'failed', text }])
})

test.each(presetNames)('%s gets its prompt by standard input, where it may have any length', (agent) => {
  const prompt = 'x'.repeat(200_000)
  const ask = { program: '/p', linkUrl: 'http://127.0.0.1:4610', model: null, extra: [], prompt }
  const { argv, stdin } = presets[agent].call(ask)
  expect(argv.join(' ').length).toBeLessThan(1000)
  expect(stdin).toBe(prompt)
})

test.each(presetNames)('%s is called with the model, what the project adds, and no key', (agent) => {
  const ask = { program: '/p', linkUrl: 'http://link', model: 'big', extra: ['--more', 'a b'], prompt: 'do it' }
  const { argv, files, env, stdin } = presets[agent].call(ask)
  expect(argv[0]).toBe('/p')
  expect(argv.join('\n')).toContain('--more\na b')
  expect([argv.join(' '), JSON.stringify(files)].join()).toContain('big')
  expect([...argv, stdin].filter((part) => part === 'do it')).toHaveLength(1)
  expect(JSON.stringify([argv, env, files])).toContain('http://link')
})
