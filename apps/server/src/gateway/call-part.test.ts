import { AGENT_HEADER, STEP_HEADER } from '@beadloom/core/agents/step-header.ts'
import { expect, test } from 'vitest'
import { partOf } from './call-part.ts'
import { parseBody } from './request-body.ts'
import { startWorld } from './testing/gateway-world.ts'

function part(body: object, headers: Record<string, string> = {}) {
  const read = parseBody(Buffer.from(JSON.stringify(body)))
  if ('failed' in read) throw new Error('not a request')
  return partOf(read, headers)
}

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
const tools = [{ name: 'Bash', input_schema: {} }]
const long = 'a line of output\n'.repeat(5000)

test('a call with tools is the agent’s work, in each API', () => {
  expect(part({ messages: [user('do it')], tools })).toBe('work')
  expect(part({ input: 'do it', instructions: 'You are Codex.', tools })).toBe('work')
  const late = [
    { type: 'additional_tools', tools },
    { type: 'message', role: 'user', content: 'do it' },
  ]
  expect(part({ input: late })).toBe('work')
})

test('the first step of a fresh start begins a conversation anew', () => {
  const ask = (step: string) => part({ messages: [user('do it')], tools }, { [STEP_HEADER]: step })
  expect([ask('1.0'), ask('a2-1.0'), ask('a2-2.0'), ask('a12-1.1')]).toEqual(['work', 'anew', 'work', 'anew'])
})

test('a title, a judge’s question and anything else without tools is beside it, and so is a sub-agent', () => {
  expect(part({ messages: [user('Generate a title for this conversation')] })).toBe('beside')
  expect(part({ messages: [user('do it')], tools: [] })).toBe('beside')
  expect(part({ messages: [user('review it')], tools }, { [AGENT_HEADER]: 'docs-agent' })).toBe('beside')
})

test.each<[string, object]>([
  [
    'Claude Code',
    {
      system: [{ type: 'text', text: 'You are Claude Code.' }],
      messages: [
        user('do it'),
        user(long),
        user('Your task is to create a detailed summary of the conversation so far.'),
      ],
      tools,
    },
  ],
  [
    'Codex',
    {
      input: [
        {
          role: 'user',
          content: [{ type: 'input_text', text: 'You are performing a CONTEXT CHECKPOINT COMPACTION.' }],
        },
      ],
    },
  ],
  [
    'opencode',
    { messages: [user(long), user('Provide a detailed prompt for continuing our conversation above.')], tools },
  ],
  [
    'pi',
    {
      messages: [
        { role: 'system', content: 'You are a context summarization assistant. Read the conversation.' },
        user(`<conversation>${long}</conversation>`),
      ],
    },
  ],
  ['the built-in agent', { messages: [user('Your context is nearly full. You continue in a fresh one.')], tools }],
])('%s asks for a summary in its own words', (_agent, body) => expect(part(body)).toBe('summary'))

test('the same words somewhere in a long conversation are no question', () => {
  const read = user(`Your task is to create a detailed summary ${long}`)
  expect(part({ messages: [user('do it'), read], tools })).toBe('work')
})

test('each call’s usage says which kind it was', async () => {
  const world = await startWorld((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ choices: [{ message: { content: 'yes' } }], usage: { prompt_tokens: 5, completion_tokens: 1 } }),
    )
  })
  await (await world.ask({ tools })).text()
  await (await world.ask()).text()
  await (await world.ask({ tools }, { headers: { [AGENT_HEADER]: 'docs-agent' } })).text()
  expect(world.parts).toEqual(['work', 'beside', 'beside'])
})
