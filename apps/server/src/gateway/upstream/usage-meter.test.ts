import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { UsageMeter } from './usage-meter.ts'
import type { Dialect } from '../route.ts'

function meterOf(dialect: Dialect, events: unknown[], requestCharacters = 400) {
  const meter = new UsageMeter(dialect, requestCharacters)
  for (const event of events) meter.feed(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  return meter
}

describe('tokens of a streamed answer', () => {
  test('come from the last chunk of a chat completion', () => {
    const meter = meterOf('chat', [
      { choices: [{ delta: { content: 'hi' } }], usage: null },
      { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } },
    ])
    expect(meter.read()).toEqual({ input: 11, output: 7, known: true })
  })

  test('come from the last event of a response', () => {
    const meter = meterOf('responses', [
      { type: 'response.output_text.delta', delta: 'hi' },
      { type: 'response.completed', response: { usage: { input_tokens: 21, output_tokens: 5 } } },
    ])
    expect(meter.read()).toEqual({ input: 21, output: 5, known: true })
  })

  test("come from the first and the last event of Anthropic's API, with cached input", () => {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000, output_tokens: 1 }
    const start = { type: 'message_start', message: { usage } }
    expect(meterOf('messages', [start]).read()).toEqual({
      input: 1103,
      cached: 1100,
      cacheWrites: 100,
      output: 0,
      known: false,
    })
    const end = { type: 'message_delta', usage: { output_tokens: 40 } }
    expect(meterOf('messages', [start, end]).read()).toEqual({
      input: 1103,
      cached: 1100,
      cacheWrites: 100,
      output: 40,
      known: true,
    })
  })

  test('say how many of them were cached, and how many were thought and not said, in each API', () => {
    const chat = {
      choices: [],
      usage: {
        prompt_tokens: 90,
        completion_tokens: 30,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    }
    const counted = { input: 90, cached: 60, output: 30, reasoning: 20, known: true }
    expect(meterOf('chat', [chat]).read()).toEqual(counted)
    const usage = {
      input_tokens: 90,
      output_tokens: 30,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens_details: { reasoning_tokens: 20 },
    }
    expect(meterOf('responses', [{ type: 'response.completed', response: { usage } }]).read()).toEqual(counted)
  })

  test('say that nothing was cached or thought only if the endpoint says so', () => {
    const chat = { prompt_tokens: 9, completion_tokens: 3 }
    const zero = { prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } }
    expect(meterOf('chat', [{ choices: [], usage: chat }]).read()).not.toHaveProperty('cached')
    const counted = { cached: 0, reasoning: 0 }
    expect(meterOf('chat', [{ choices: [], usage: { ...chat, ...zero } }]).read()).toMatchObject(counted)
    const usage = { input_tokens: 9, output_tokens: 3, cache_read_input_tokens: 0 }
    expect(meterOf('messages', [{ type: 'message_start', message: { usage } }]).read()).toMatchObject({ cached: 0 })
  })

  test('are estimated at four characters each if nothing is said, and marked so', () => {
    const meter = meterOf('chat', [{ choices: [{ delta: { content: 'x'.repeat(39) } }] }])
    expect(meter.read()).toEqual({ input: 100, output: 10, known: false })
  })

  test.each([-1, 1.5, '7', null, 1e300, {}])('are not taken from the nonsense %j', (nonsense) => {
    const meter = meterOf('chat', [{ choices: [], usage: { prompt_tokens: nonsense, completion_tokens: nonsense } }])
    expect(meter.read()).toEqual({ input: 100, output: 0, known: false })
  })

  test('are read from events that arrive byte by byte', () => {
    const meter = new UsageMeter('chat', 4)
    const text =
      'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2},"x":"é"}\r\n\r\ndata: [DONE]\r\n\r\n'
    for (const byte of Buffer.from(text)) meter.feed(Buffer.of(byte))
    expect(meter.read()).toEqual({ input: 1, output: 2, known: true })
    expect(meter.events).toBe(1)
  })
})

test('one endless event is estimated, and costs neither memory nor an error', () => {
  const meter = new UsageMeter('chat', 0)
  const chunk = Buffer.alloc(1024 ** 2, 'x')
  meter.feed(Buffer.from('data: '))
  for (let n = 0; n < 40; n++) meter.feed(chunk)
  expect(meter.read().known).toBe(false)
  expect(meter.read().output).toBeGreaterThan(1024 ** 2)
})

test('a whole answer nested deeper than the call stack is measured all the same', () => {
  const meter = new UsageMeter('chat', 0)
  const depth = 200_000
  meter.whole(JSON.parse(`{"choices":${'['.repeat(depth)}"four"${']'.repeat(depth)}}`) as Record<string, unknown>)
  expect(meter.read()).toEqual({ input: 0, output: 1, known: false })
})

test('an error that the endpoint puts into its stream is noticed', () => {
  expect(meterOf('chat', [{ error: { message: 'overloaded' } }]).error).toBe('overloaded')
  expect(meterOf('responses', [{ type: 'error', message: 'no' }]).error).toBe('no')
})

test('an event with too many values is not read: its characters count, and what comes after it is read', () => {
  const parsed = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parsed.mockRestore())
  const meter = new UsageMeter('chat', 4, { mostValues: 100 })
  const many = `{"choices":[${'[],'.repeat(200)}0]}`
  meter.feed(Buffer.from(`data: ${many}\n\n`))
  expect(parsed).not.toHaveBeenCalled()
  expect([meter.events, meter.read()]).toEqual([1, { input: 1, output: Math.ceil(many.length / 4), known: false }])
  meter.feed(Buffer.from('data: {"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n'))
  expect(meter.read()).toEqual({ input: 3, output: 2, known: true })
})
