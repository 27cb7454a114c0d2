import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentNews } from '@beadloom/core/agents/preset.ts'
import { presetNames } from '@beadloom/core/agents/agent-names.ts'
import { presets } from '@beadloom/core/agents/presets.ts'
import { callWords } from '@beadloom/core/conversation/call-words.ts'
import { readSteps } from '@beadloom/core/conversation/read-steps.ts'
import type { Step, StepOf } from '@beadloom/core/conversation/step.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { describe, expect, test } from 'vitest'
import { describeEvent } from '../../apps/server/src/recorder/describe-event.ts'

/* Recorded output of real agents, as the log has it, read as a conversation. */
const samples = join(import.meta.dirname, '../samples/agent-output')

/** `given` is filled with the calls' arguments, by line. */
function logOf(agent: (typeof presetNames)[number], sample: string, given?: Map<number, string>): string {
  const translate = presets[agent].translator()
  const tools = new Map<string, string>()
  let log = ''
  for (const text of readFileSync(join(samples, `${agent}-${sample}.jsonl`), 'utf8').split('\n')) {
    const line: unknown = text.startsWith('{') ? JSON.parse(text) : null
    const news = isObject(line) ? translate(line) : null
    for (const one of Array.isArray(news) ? news : []) {
      if (one.type === 'tool_call') given?.set(log.split('\n').length - 1, one.arguments)
      log += eventOf(one, tools)
    }
  }
  return log
}

function eventOf(news: AgentNews, tools: Map<string, string>): string {
  const line = { n: 1, at: 0 }
  if (news.type === 'tool_call') tools.set(news.call, news.tool)
  if (news.type === 'tool_result')
    return describeEvent({ ...line, ...news, tool: tools.get(news.call) ?? '', durationMs: 5 } satisfies EventLine)
  if (news.type === 'message' || news.type === 'tool_call' || news.type === 'warning')
    return describeEvent({ ...line, ...news } satisfies EventLine)
  return ''
}

const stepsOf = (log: string): Step[] =>
  readSteps(
    log
      .trimEnd()
      .split('\n')
      .map((text, n) => ({ n, text })),
  )
const of = <K extends Step['is']>(steps: Step[], is: K) => steps.filter((step): step is StepOf<K> => step.is === is)

describe.each(presetNames)('a session of %s', (agent) => {
  test('consists of its words and its calls, each with its result and in words that people know', () => {
    const steps = stepsOf(logOf(agent, 'normal'))
    expect(of(steps, 'said').length).toBeGreaterThan(2)
    expect(of(steps, 'output')).toEqual([])
    expect(of(steps, 'result')).toEqual([])
    const calls = of(steps, 'call')
    expect(calls.length).toBeGreaterThan(2)
    for (const { tool, given, result } of calls) {
      expect(result?.ok).toBe(true)
      const { kind, what } = callWords(tool, given, result)
      expect([tool, kind]).not.toEqual([tool, 'other'])
      expect(what).toMatch(/^[^{[]/)
    }
  })

  test('says that a failed command failed', () => {
    const failed = of(stepsOf(logOf(agent, 'failing-command')), 'call').filter(({ result }) => result?.ok === false)
    const words = failed.map(({ tool, given, result }) => callWords(tool, given, result))
    expect(words.some(({ kind, outcome }) => kind === 'run' && /failed|exit/.test(outcome))).toBe(true)
  })
})

/** Calls and marks as a person reads them, with all that the events keep of the arguments. */
function told(agent: (typeof presetNames)[number], sample: string): string[] {
  const given = new Map<number, string>()
  return stepsOf(logOf(agent, sample, given)).flatMap((step) => {
    if (step.is === 'mark') return [`${step.of}: ${step.text.split('\n')[0]!.slice(0, 64)}`]
    if (step.is !== 'call') return []
    const { verb, what, outcome, diff } = callWords(step.tool, given.get(step.first) ?? step.given, step.result)
    const change = diff === null ? '' : `+${diff.added} −${diff.removed}`
    return [[verb, what.slice(0, 24), change, outcome].filter((one) => one !== '').join(' ')]
  })
}

const looked = ['read notes.txt', 'ran ls -la']
const changed = ['edited notes.txt +1 −0', 'wrote test/new.txt +1 −0']
const committed = ['ran node check.js && cat not', 'ran git add -A && git commit']
const failed = ["ran echo 'expected 4, got 3' exit 3", 'could not edit notes.txt +1 −1', 'could not read missing.txt']

test.each([
  ['claude', 'normal', [...looked, ...changed, ...committed]],
  ['opencode', 'normal', [...looked.toReversed(), ...changed, ...committed]],
  ['pi', 'normal', [...looked, ...changed, ...committed]],
  // Codex reads and writes with its own commands.
  ['codex', 'normal', [...looked, "ran edited=$(OLD='three ' NE", "ran mkdir -p 'test' && print", ...committed]],
  ['codex', 'patched', ['edited more.txt, notes.txt']],
  ['claude', 'failing-command', failed],
  ['opencode', 'failing-command', failed],
  ['pi', 'failing-command', failed],
  ['codex', 'failing-command', [failed[0]!, "ran edited=$(OLD='no such pa exit 1", failed[2]!]],
  ['codex', 'interrupted', ['running echo begun; sleep 600']],
  ['claude', 'interrupted', ['ran echo begun; sleep 600 exit 137']],
] as const)('%s, %s: each call is a sentence', (agent, sample, sentences) => {
  expect(told(agent, sample)).toEqual(sentences)
})

test('a repeated call of the model is marked, and advice to repeat it is not', () => {
  expect(told('codex', 'error-500').filter((one) => one.startsWith('retry: Reconnecting... '))).toHaveLength(5)
  expect(told('pi', 'error-429').filter((one) => one.startsWith('retry: '))).toEqual([
    'retry: pi asks its model again (retry 1 of 1)',
  ])
  expect(told('claude', 'error-500').map((one) => one.slice(0, 27))).toEqual(['warning: API Error: 500 the'])
})

test("pi's summary of its conversation is marked", () => {
  expect(of(stepsOf(logOf('pi', 'compacted')), 'mark').map((mark) => mark.of)).toContain('compaction')
})
