import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentNews } from '@beadloom/core/agents/preset.ts'
import { presetNames, presets } from '@beadloom/core/agents/presets.ts'
import { callWords } from '@beadloom/core/conversation/call-words.ts'
import { readSteps } from '@beadloom/core/conversation/read-steps.ts'
import type { Step, StepOf } from '@beadloom/core/conversation/step.ts'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { describe, expect, test } from 'vitest'
import { describeEvent } from '../../apps/server/src/recorder/describe-event.ts'

/* What real agents printed, as the log has it, read as a conversation. */
const samples = join(import.meta.dirname, '../samples/agent-output')

function logOf(agent: (typeof presetNames)[number], sample: string): string {
  const translate = presets[agent].translator()
  const tools = new Map<string, string>()
  let log = ''
  for (const text of readFileSync(join(samples, `${agent}-${sample}.jsonl`), 'utf8').split('\n')) {
    const line: unknown = text.startsWith('{') ? JSON.parse(text) : null
    const news = isObject(line) ? translate(line) : null
    for (const one of Array.isArray(news) ? news : []) log += eventOf(one, tools)
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
  test('is its words and its calls, each with its result and in words that people know', () => {
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

  test('says of a command that failed that it did', () => {
    const failed = of(stepsOf(logOf(agent, 'failing-command')), 'call').filter(({ result }) => result?.ok === false)
    const words = failed.map(({ tool, given, result }) => callWords(tool, given, result))
    expect(words.some(({ kind, outcome }) => kind === 'run' && /failed|exit/.test(outcome))).toBe(true)
  })
})

test('the summary that pi made of its conversation is marked', () => {
  expect(of(stepsOf(logOf('pi', 'compacted')), 'mark').map((mark) => mark.of)).toContain('compaction')
})
