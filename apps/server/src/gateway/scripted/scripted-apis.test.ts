import { createParser } from 'eventsource-parser'
import type { ResponseInputItem, Tool } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { claudeTools, codexCodeTools, codexTools } from '../testing/offered-tools.ts'
import { scripted, turns, type Block, type Message } from '../testing/scripted-world.ts'

const tools = codexTools as unknown as Tool[]
const asUser = (content: string): ResponseInputItem => ({ type: 'message', role: 'user', content })
const output = (call: string, text: string): ResponseInputItem => ({
  type: 'function_call_output',
  call_id: call,
  output: text,
})
const calls = (items: { type: string }[]) => items.filter(({ type }) => type === 'function_call')

describe('the scripted model in the responses API', () => {
  test('gives the same turn whole and as a stream that the official client understands', async () => {
    const { client, clock, usages } = await scripted()
    const request = { model: 'any', input: [asUser('hello')], tools }
    const whole = await client.responses.create(request)
    const stream = client.responses.stream(request)
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    const streamed = await stream.finalResponse()
    expect(streamed.output).toMatchObject(whole.output)
    expect(streamed.output_text).toBe(turns[0]?.say?.replace('{{bead}}', 'demo-1a').replace('{{attempt}}', '1'))
    expect(calls(whole.output)).toMatchObject([
      { call_id: 'call_scripted_1_1', name: 'exec_command', arguments: expect.stringContaining(`sed -n '2,$p'`) },
      { name: 'exec_command', arguments: '{"cmd":"echo \\"demo-1a\\"","yield_time_ms":30000}' },
    ])
    expect(types.filter((type, at) => type !== types[at - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(streamed.usage).toEqual(whole.usage)
    expect(usages[0]).toMatchObject({ input: whole.usage?.input_tokens, output: whole.usage?.output_tokens })
    expect(clock.slept).toEqual([300, 300])
  })

  test('knows the next turn from the calls, however the agent arranges them', async () => {
    const { client } = await scripted()
    const { output: first } = await client.responses.create({ model: 'any', input: [asUser('hello')], tools })
    const [message, one, two] = first as ResponseInputItem[]
    if (!message || !one || !two) throw new Error('not three items')
    const [done, fine] = [output('call_scripted_1_1', 'a'), output('call_scripted_1_2', 'b')]
    const thought = { type: 'reasoning', id: 'rs_1', summary: [] } as ResponseInputItem
    const ways = [
      [asUser('hello'), message, one, two, done, fine],
      [asUser('hello'), thought, message, thought, one, done, two, fine],
      [asUser('hello'), two, one, fine, done, asUser('go on')],
      [asUser('shortened: two files were read'), done, fine],
    ]
    for (const input of ways) {
      const next = await client.responses.create({ model: 'any', input, tools })
      expect(calls(next.output), JSON.stringify(input)).toMatchObject([{ call_id: 'call_scripted_2_1' }])
    }
  })

  test('asks again for a command that its tool gave up waiting for, without using a turn of the script', async () => {
    const { client } = await scripted()
    const running = [asUser('hi'), output('call_scripted_2_1', 'Process running with session ID 4711\nOutput:\ntick')]
    const polled = await client.responses.create({ model: 'any', input: running, tools })
    expect(calls(polled.output)).toMatchObject([
      { name: 'write_stdin', arguments: '{"session_id":4711,"yield_time_ms":30000}' },
    ])
    const [poll] = polled.output as (ResponseInputItem & { call_id: string })[]
    if (!poll) throw new Error('nothing was asked')
    const input = [...running, poll, output(poll.call_id, 'Process exited with code 0')]
    const next = await client.responses.create({ model: 'any', input, tools })
    expect(next.output_text).toBe('Done.')
  })

  test('runs a command through the tool for code, if that is the only one', async () => {
    const { client } = await scripted()
    const input = [codexCodeTools, asUser('hi')] as ResponseInputItem[]
    const { output: items } = await client.responses.create({ model: 'any', input })
    expect(items.slice(1)).toMatchObject([
      {
        type: 'custom_tool_call',
        name: 'exec',
        namespace: 'functions',
        input: expect.stringContaining('exec_command'),
      },
      { input: expect.stringContaining('{"cmd":"echo \\"demo-1a\\"","yield_time_ms":30000}') },
    ])
  })

  test("answers a question for a document, and finds a title after the agent's first words", async () => {
    const reviewer = await scripted({ bead: 'review:demo-1a' })
    const text = { format: { type: 'json_schema' as const, name: 'x', schema: {} } }
    const answer = await reviewer.client.responses.create({ model: 'any', input: 'hi', text })
    expect(answer.output_text).toBe('{"of":"review:demo-1a"}')
    const { client } = await scripted({ bead: 'unknown' })
    const input = [asUser('<environment_context>'), asUser('x\nTASK: Bead #unknown - Sort the list\n')]
    expect((await client.responses.create({ model: 'any', input, tools })).output_text).toBe('I sort.')
  })

  test("says a document as a command line's last words, even one that the script submits through a tool", async () => {
    for (const bead of ['review:demo-1a', 'review:demo-2b']) {
      const { client } = await scripted({ bead })
      const answer = await client.responses.create({ model: 'any', input: 'hi', tools })
      expect([answer.output_text, answer.output.length]).toEqual([`{"of":"${bead}"}`, 1])
    }
  })

  test('names the available tools if none fits', async () => {
    const { client } = await scripted({ bead: 'demo-3c' })
    await expect(client.responses.create({ model: 'any', input: 'hi', tools })).rejects.toThrow(
      /400.*no tool for "fly".*exec_command, write_stdin/,
    )
  })
})

type Delta = { type: string; text?: string; partial_json?: string; stop_reason?: string }
type Event = {
  type: string
  message: Message
  index: number
  content_block: Block
  delta: Delta
  usage: Record<string, number>
}

/** Puts a message together like the official client: a block begins empty and grows until it stops. */
function assembled(stream: string): Message {
  const events: Event[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const parsed = JSON.parse(data) as Event
      expect(event).toBe(parsed.type)
      events.push(parsed)
    },
  })
  parser.feed(stream)
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(['message_start', 'message_stop'])
  let message = {} as Message
  const inputs = new Map<number, string>()
  for (const { type, index, delta, ...event } of events) {
    if (type === 'message_start') message = structuredClone(event.message)
    if (type === 'content_block_start') {
      expect(index).toBe(message.content.length)
      message.content.push(structuredClone(event.content_block))
    }
    const block = message.content[index]
    if (type === 'content_block_delta' && block) {
      if (delta.type === 'text_delta') block.text += delta.text ?? ''
      else inputs.set(index, (inputs.get(index) ?? '') + (delta.partial_json ?? ''))
    }
    if (type === 'content_block_stop' && block?.type === 'tool_use')
      block.input = JSON.parse(inputs.get(index) ?? '{}') as Record<string, unknown>
    if (type === 'message_delta') Object.assign(message, delta, { usage: { ...message.usage, ...event.usage } })
  }
  return message
}

describe("the scripted model in Anthropic's API", () => {
  const hello = { role: 'user', content: 'hello' }

  test('gives the same turn whole and as a stream', async () => {
    const { messages, post, usages } = await scripted()
    const { body } = await messages({ messages: [hello] })
    const response = await post('/v1/messages', { messages: [hello], tools: claudeTools, stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(assembled(await response.text())).toEqual(body)
    expect(body).toMatchObject({
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: expect.stringContaining('I look at demo-1a, attempt 1. 🎉') },
        { type: 'tool_use', id: 'toolu_scripted_1_1', name: 'Read', input: { file_path: 'a.txt', offset: 2 } },
        { name: 'Bash', input: { command: 'echo "demo-1a"', description: expect.any(String) } },
      ],
    })
    expect(usages[0]).toMatchObject({ input: body.usage['input_tokens'], output: body.usage['output_tokens'] })
  })

  test('knows the next turn from parallel results, in whatever messages they come', async () => {
    const { messages } = await scripted()
    const first = (await messages({ messages: [hello] })).body
    const [text, ...uses] = first.content
    const results = uses.map(({ id }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [{ type: 'text', text: 'x' }],
    }))
    const ways = [
      [hello, { role: 'assistant', content: first.content }, { role: 'user', content: results }],
      [
        hello,
        { role: 'assistant', content: [text] },
        { role: 'assistant', content: uses },
        ...results.map((result) => ({ role: 'user', content: [result] })),
        { role: 'user', content: '<system-reminder>go on</system-reminder>' },
      ],
    ]
    for (const way of ways) {
      expect((await messages({ messages: way })).body.content).toMatchObject([{ id: 'toolu_scripted_2_1' }])
    }
    const end = [
      hello,
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_scripted_2_1', content: '' }] },
    ]
    expect((await messages({ messages: end })).body).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Done.' }],
    })
  })

  test('makes paths absolute in the folder that the agent names, and finds the title among its blocks', async () => {
    const { messages } = await scripted()
    const system = [{ type: 'text', text: ' - Primary working directory: /workspace/repo\n - Platform: linux' }]
    const { body } = await messages({ messages: [hello], system })
    expect(body.content[1]?.input).toEqual({ file_path: '/workspace/repo/a.txt', offset: 2 })
    const other = await scripted({ bead: 'unknown' })
    const content = ['<system-reminder>x</system-reminder>', '\nTASK: Bead #unknown - Sort the list\nDo it.'].map(
      (block) => ({ type: 'text', text: block }),
    )
    expect((await other.messages({ messages: [{ role: 'user', content }] })).body.content[0]?.text).toBe('I sort.')
  })

  test('counts tokens without using any', async () => {
    const { post, usages } = await scripted()
    const response = await post('/v1/messages/count_tokens', { messages: [hello], tools: claudeTools })
    expect(((await response.json()) as Message).input_tokens).toBeGreaterThan(100)
    expect(usages).toEqual([])
  })

  test('submits a document through the tool that Claude Code has for it, and ends', async () => {
    const { messages } = await scripted({ bead: 'review:demo-1a' })
    const offered = [...claudeTools, { name: 'StructuredOutput', input_schema: { type: 'object' } }]
    const { body } = await messages({ messages: [hello], tools: offered })
    expect(body.content).toMatchObject([{ name: 'StructuredOutput', input: { of: 'review:demo-1a' } }])
    const result = { type: 'tool_result', tool_use_id: body.content[0]?.id, content: 'ok' }
    const after = await messages({ messages: [hello, { role: 'user', content: [result] }], tools: offered })
    expect(after.body.stop_reason).toBe('end_turn')
    const form = { output_config: { format: { type: 'json_schema', schema: {} } }, tools: [] }
    expect((await messages({ messages: [hello], ...form })).body.content[0]?.text).toBe('{"of":"review:demo-1a"}')
  })

  test('fails in the words of its API', async () => {
    const { messages } = await scripted({ bead: 'demo-2b' })
    expect(await messages({ messages: [hello] })).toMatchObject({
      status: 529,
      body: { type: 'error', error: { type: 'overloaded_error', message: 'too busy' } },
    })
    expect(await messages({})).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
  })
})
