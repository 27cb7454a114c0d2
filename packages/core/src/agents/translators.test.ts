import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from './json.ts'
import { isObject } from '../text/json-object.ts'
import type { AgentNews } from './preset.ts'
import { presetNames, type PresetName } from './agent-names.ts'
import { presets } from './presets.ts'

/** Output of the real agents, in containers, with the scripted model. */
const samples = join(import.meta.dirname, '../../../../test/samples/agent-output')

/** An old version, which a project may still ask for, prints other lines than the tested one. */
type Recorded = PresetName | 'pi-0.73.1'
const recorded: Recorded[] = [...presetNames, 'pi-0.73.1']
const presetOf = (agent: Recorded) => presets[agent === 'pi-0.73.1' ? 'pi' : agent]

/** Sends every line of a sample through one translator, and collects the lines that it does not know. */
function translated(agent: Recorded, sample: string): { news: AgentNews[]; unknown: string[] } {
  const translate = presetOf(agent).translator()
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

describe.each(recorded)('the output of %s', (agent) => {
  test('becomes its own text, its calls with their results, and its tokens', () => {
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

  test('shows a command that fails as a bad result, with its output', () => {
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
    expect(of(news, 'over')).toMatchObject([
      { how: 'failed', text: expect.stringMatching(/^[^{]*token budget of this execution is used up[^}]*$/) },
    ])
  })

  test.each(['error-429', 'error-500'])('is a failure after an %s, in one end', (sample) => {
    const ends = of(translated(agent, sample).news, 'over')
    expect(ends.at(-1)).toMatchObject({ how: 'failed' })
  })

  test('may be anything else, which is ignored', () => {
    const translate = presetOf(agent).translator()
    expect(translate({ type: 'level', message: 3 })).toBeNull()
    expect(translate({})).toBeNull()
  })
})

test('an interrupted call has no result, and nothing says that the work is over', () => {
  for (const agent of ['codex', 'pi', 'pi-0.73.1'] as const) {
    const { news } = translated(agent, 'interrupted')
    expect(of(news, 'tool_call').length).toBeGreaterThan(of(news, 'tool_result').length)
    expect(of(news, 'over')).toEqual([])
  }
})

test('pi that shortens an overlong context has not ended, although it says so before', () => {
  const { news, unknown } = translated('pi', 'compacted')
  expect(unknown).toEqual([])
  const course = news.filter(({ type }) => ['warning', 'over', 'resumed'].includes(type))
  expect(course).toEqual([
    { type: 'warning', text: expect.stringMatching(/^400 This model's maximum context length is 8192 tokens/) },
    { type: 'over', how: 'failed', text: expect.stringContaining('maximum context length') },
    { type: 'resumed' },
    { type: 'warning', text: 'pi shortened its context (overflow): about 1619 tokens became 1524' },
    { type: 'over', how: 'success', text: null },
  ])
  expect(of(news, 'message').at(-1)?.text).toBe('The fourth line is in, and committed.')
})

function newsOfPi(lines: Json[]): AgentNews[] {
  const translate = presets.pi.translator()
  return lines.map(translate).flatMap((meaning) => (Array.isArray(meaning) ? meaning : []))
}

test('pi whose context cannot be shortened has failed, with or without a last line that says it has settled', () => {
  const error = { role: 'assistant', content: [], stopReason: 'error', errorMessage: '400: {"message":"too long"}' }
  const lines = [
    { type: 'message_end', message: error },
    { type: 'agent_end', messages: [], willRetry: false },
    { type: 'compaction_start', reason: 'overflow' },
    { type: 'compaction_end', reason: 'overflow', aborted: false, willRetry: false, errorMessage: 'the model is away' },
  ]
  for (const last of [[], [{ type: 'agent_settled' }]]) {
    const news = newsOfPi([...lines, ...last])
    expect(news.filter(({ type }) => ['over', 'resumed'].includes(type))).toEqual([
      { type: 'over', how: 'failed', text: '400 too long' },
      { type: 'resumed' },
      { type: 'over', how: 'failed', text: '400 too long' },
    ])
    expect(news).toContainEqual({
      type: 'warning',
      text: 'pi could not shorten its context (overflow): the model is away',
    })
  }
})

test('a compaction of pi in the middle of its work ends nothing', () => {
  const result = { tokensBefore: 120_000, estimatedTokensAfter: 30_000 }
  const news = newsOfPi([
    { type: 'agent_start' },
    { type: 'compaction_start', reason: 'threshold' },
    { type: 'compaction_end', reason: 'threshold', result, aborted: false, willRetry: false },
  ])
  expect(news).toEqual([
    { type: 'warning', text: 'pi shortened its context (threshold): about 120000 tokens became 30000' },
  ])
})

test('a patch of Codex is a call and its result', () => {
  const { news } = translated('codex', 'patched')
  expect(of(news, 'tool_call')).toMatchObject([
    { tool: 'apply_patch', arguments: expect.stringContaining('notes.txt') },
  ])
  expect(of(news, 'tool_result')).toMatchObject([{ ok: true }])
})

test('words of a sub-agent of Claude Code are not the agent’s own', () => {
  const content = [{ type: 'text', text: 'BLOCKED: mine' }]
  const translate = presets.claude.translator()
  expect(translate({ type: 'assistant', parent_tool_use_id: 't1', message: { content } })).toEqual([])
})

test('a sign of life of Claude Code in a long command is ignored, and no line of the log', () => {
  const line = { type: 'tool_progress', heartbeat: true, session_id: 'e296c18a', uuid: '88cb12e2' }
  expect(presets.claude.translator()(line)).toEqual([])
})

test('an error that opencode repeats as JSON, and any other, is reported as its sentence', () => {
  const over = (message: string) =>
    presets.opencode.translator()({ type: 'error', error: { name: 'UnknownError', data: { message } } })
  const silent = { message: 'the model endpoint sent nothing', type: 'server_error', code: 'model_silent' }
  expect(over(JSON.stringify(silent))).toEqual([{ type: 'over', how: 'failed', text: silent.message }])
  for (const text of ['Connection reset by server', '{"message":', '{"code":1}'])
    expect(over(text)).toEqual([{ type: 'over', how: 'failed', text }])
})

test.each(presetNames)('%s gets its prompt by standard input, which allows any length', (agent) => {
  const prompt = 'x'.repeat(200_000)
  const ask = { program: '/p', linkUrl: 'http://127.0.0.1:4610', model: null, extra: [], prompt, continues: false }
  const { argv, stdin } = presets[agent].call(ask)
  expect(argv.join(' ').length).toBeLessThan(1000)
  expect(stdin).toBe(prompt)
})

test.each(presetNames)("%s is called with the model, the project's additions, and no key", (agent) => {
  const ask = {
    program: '/p',
    linkUrl: 'http://link',
    model: 'big',
    extra: ['--more', 'a b'],
    prompt: 'do it',
    continues: false,
  }
  const { argv, files, env, stdin } = presets[agent].call(ask)
  expect(argv[0]).toBe('/p')
  expect(argv.join('\n')).toContain('--more\na b')
  expect([argv.join(' '), JSON.stringify(files)].join()).toContain('big')
  expect([...argv, stdin].filter((part) => part === 'do it')).toHaveLength(1)
  expect(JSON.stringify([argv, env, files])).toContain('http://link')
})

test('pi reads its files in a project without a question, which nobody could answer', () => {
  const ask = { program: '/p', linkUrl: 'http://link', model: 'big', extra: [], prompt: 'do it', continues: false }
  const { files } = presets.pi.call(ask)
  expect(JSON.parse(files['.pi/agent/settings.json'] ?? '')).toMatchObject({ defaultProjectTrust: 'always' })
})
