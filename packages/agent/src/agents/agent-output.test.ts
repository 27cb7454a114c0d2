import { expect, test } from 'vitest'
import { AgentVoice } from '../ends/agent-end.ts'
import { AgentOutput } from './agent-output.ts'
import { systemClock } from '../process/clock.ts'
import { MemoryRecord } from '../testing/memory-record.ts'

async function sort(...chunks: string[]) {
  const record = new MemoryRecord()
  const voice = new AgentVoice({ writer: record.writer, clock: systemClock }, 30_000)
  const over: string[] = []
  const deps = { writer: record.writer, clock: systemClock, env: {} }
  const output = new AgentOutput(deps, voice, (said) => over.push(said?.how ?? 'resumed'))
  for (const chunk of chunks) await output.take('stdout', chunk)
  await output.end()
  await record.writer.finish()
  return {
    message: record.text('message'),
    output: record.text('output'),
    raw: record.text('raw'),
    messages: record.of('message'),
    over,
    blocked: voice.blocked,
  }
}

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

test('the lines of a plain command are its own words, whole', async () => {
  const { messages, output } = await sort('first\nsec', 'ond\nBLO', 'CKED: no\nlast')
  expect(messages.map(({ text }) => text)).toEqual(['first\n', 'second\n', 'BLOCKED: no\n', 'last'])
  expect(output).toBe('')
})

test('BLOCKED counts when its line comes in pieces', async () => {
  expect((await sort('x\nBLO', 'CKED: no ', 'key\n')).blocked).toBe('no key')
})

test('a line of megabytes is data', async () => {
  const { message, output } = await sort('before\n', 'x'.repeat(5_000_000), 'BLOCKED: x', '\nafter\n')
  expect(message).toBe('before\nafter\n')
  expect(output).toHaveLength(5_000_011)
})

test('unknown JSON is a line like any other', async () => {
  const text = lines({ level: 'info', type: 'log' }, [1]) + '{broken\n'
  expect((await sort(text)).message).toBe(text)
})

test('Codex: only agent_message is the agent', async () => {
  const { message, output, blocked } = await sort(
    lines(
      { type: 'thread.started', thread_id: '1' },
      { type: 'item.completed', item: { type: 'command_execution', aggregated_output: 'BLOCKED: from a test' } },
      { type: 'item.completed', item: { type: 'agent_message', text: 'Done.\nBLOCKED: why' } },
      { type: 'turn.completed', usage: {} },
    ) + 'BLOCKED: noise that is no JSON\n',
  )
  expect(message).toBe('Done.\nBLOCKED: why')
  expect(output).toContain('noise')
  expect(blocked).toBe('why')
})

test('Claude Code: only the text blocks of the main agent are the agent, and its last line says how it ended', async () => {
  const { message, over } = await sort(
    lines(
      { type: 'system', subtype: 'init' },
      {
        type: 'assistant',
        message: {
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', name: 'Bash' },
          ],
        },
      },
      { type: 'user', message: { content: [{ type: 'tool_result', content: 'BLOCKED: x' }] } },
      { type: 'assistant', parent_tool_use_id: 't1', message: { content: [{ type: 'text', text: 'a sub-agent' }] } },
      { type: 'result', subtype: 'success', is_error: false, result: 'I look.' },
    ),
  )
  expect(message).toBe('I look.')
  expect(over).toEqual(['success'])
})

test('opencode: only text parts are the agent', async () => {
  const { message } = await sort(
    lines(
      { type: 'step_start', part: {} },
      { type: 'text', part: { text: 'Hi' } },
      { type: 'tool_use', part: { text: 'no' } },
      { type: 'step_finish', part: { tokens: {} } },
    ),
  )
  expect(message).toBe('Hi')
})

test('pi: only finished assistant messages are the agent', async () => {
  const content = [{ type: 'text', text: 'Hello' }]
  const { message, raw } = await sort(
    lines(
      { type: 'session' },
      { type: 'message_update', message: { role: 'assistant', content } },
      { type: 'message_end', message: { role: 'user', content: [{ type: 'text', text: 'prompt' }] } },
      { type: 'message_end', message: { role: 'assistant', content } },
      { type: 'agent_end' },
    ),
  )
  expect(message).toBe('Hello')
  expect(raw).not.toContain('message_update') // each would repeat the whole message so far
})
