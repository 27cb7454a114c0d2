import { beforeEach, expect, test } from 'vitest'
import type { ToolCall } from './model-call.ts'
import { systemClock } from '../process/clock.ts'
import { runCalls } from './run-calls.ts'
import { MemoryRecord } from '../testing/memory-record.ts'
import { noTokens } from '../testing/no-tokens.ts'
import { OutputFolder } from '../tools/output-folder.ts'
import type { Observation, Tool, ToolContext } from '../tools/tool.ts'

let record: MemoryRecord
let stopper: AbortController
/** The starts and ends of the calls, in order. */
let story: string[]
/** The answers that the model got, in order. */
let told: string[]
beforeEach(() => {
  stopper = new AbortController()
  story = []
  told = []
})

type Run = (args: string, context: ToolContext) => Promise<Observation | string>

const tool = (name: string, readOnly: boolean, run: Run): Tool => ({
  name,
  description: name,
  parameters: {},
  readOnly,
  async run(args, context) {
    story.push(`begin ${args}`)
    const observation = await run(args, context)
    story.push(`end ${args}`)
    return typeof observation === 'string' ? { ok: true, text: observation } : observation
  },
})

/** Makes calls, given as "tool argument". */
async function make(tools: Tool[], ...calls: string[]) {
  record = new MemoryRecord()
  const context: ToolContext = {
    workspace: '/',
    env: {},
    clock: systemClock,
    stop: stopper.signal,
    timeoutMs: 1000,
    outputLimit: 1000,
    outputs: new OutputFolder('/nowhere'),
    tokens: noTokens,
  }
  const named = calls.map((call, index): ToolCall => {
    const [name = '', args = ''] = call.split(' ')
    return { id: `c${index + 1}`, name, arguments: args }
  })
  const onResult = async ({ id }: ToolCall, text: string) => void told.push(`${id} ${text}`)
  const made = await runCalls({ record: record.writer, calls: named, tools, context, onResult })
  await record.writer.finish()
  return made
}

const events = () =>
  record.events.flatMap((event) =>
    event.type === 'tool_call' || event.type === 'tool_result' ? [`${event.type} ${event.call}`] : [],
  )
const pairs = (count: number) =>
  Array.from({ length: count }, (_, at) => [`tool_call c${at + 1}`, `tool_result c${at + 1}`]).flat()

/** Ends each call once this many have started. */
function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return () => {
    here += 1
    if (here === count) resolve()
    return promise
  }
}

test('calls that only read run at the same time, and are recorded as pairs in the order of the calls', async () => {
  const met = meeting(3)
  const last = Promise.withResolvers<void>()
  const read = tool('read', true, async (args) => {
    await met()
    if (args === 'c') last.resolve()
    else await last.promise // the last one ends first
    return args
  })
  const made = await make([read], 'read a', 'read b', 'read c')
  expect(story.slice(0, 4)).toEqual(['begin a', 'begin b', 'begin c', 'end c'])
  expect(events()).toEqual(pairs(3))
  expect(told).toEqual(['c1 a', 'c2 b', 'c3 c'])
  expect(made.map(({ result }) => result)).toEqual(['true a', 'true b', 'true c'])
})

test('at most four run at the same time', async () => {
  let [now, most] = [0, 0]
  const met = [meeting(4), meeting(4)]
  let begun = 0
  const read = tool('read', true, async (args) => {
    most = Math.max(most, ++now)
    await met[Math.floor(begun++ / 4)]?.()
    now -= 1
    return args
  })
  await make([read], ...Array.from({ length: 8 }, (_, at) => `read ${at}`))
  expect(most).toBe(4)
  expect(events()).toEqual(pairs(8))
})

test('a call that may change something runs alone: all before it have ended, and all after it wait', async () => {
  const plain: Run = async (args) => {
    await new Promise((resolve) => setImmediate(resolve))
    return args
  }
  const tools = [tool('read', true, plain), tool('write', false, plain)]
  await make(tools, 'read a', 'read b', 'write c', 'write d', 'read e')
  const [before, alone] = ['begin a, begin b, end a, end b', 'begin c, end c, begin d, end d']
  expect(story.join(', ')).toBe(`${before}, ${alone}, begin e, end e`)
})

test('a call that fails, or names no tool, costs the others nothing', async () => {
  const read = tool('read', true, async (args) => (args === 'b' ? { ok: false, text: 'Error: no' } : args))
  await make([read], 'read a', 'read b', 'teleport x', 'read c')
  expect(told).toEqual(['c1 a', 'c2 Error: no', 'c3 Error: there is no tool teleport; the tools are read', 'c4 c'])
  expect(record.of('tool_result').map(({ ok }) => ok)).toEqual([true, false, false, true])
})

test('a bug in a tool is thrown after the results before it, and no later rejection goes unhandled', async () => {
  const read = tool('read', true, async (args) => {
    if (args === 'a') return args
    throw new Error(`bug in ${args}`)
  })
  await expect(make([read], 'read a', 'read b', 'read c')).rejects.toThrow('bug in b')
  expect(told).toEqual(['c1 a'])
})

test('a stop in the middle answers the rest without running it', async () => {
  const write = tool('write', false, async (args) => {
    stopper.abort()
    return args
  })
  await make([write, tool('read', true, async (args) => args)], 'write a', 'write b', 'read c', 'read d')
  expect(story).toEqual(['begin a', 'end a'])
  const rest = '[not run: the session is ending]'
  expect(told).toEqual(['c1 a', `c2 ${rest}`, `c3 ${rest}`, `c4 ${rest}`])
  expect(events()).toEqual(pairs(4))
})

test('a turn has at most 32 calls; the others are answered and not run', async () => {
  await make([tool('read', true, async (args) => args)], ...Array.from({ length: 40 }, (_, at) => `read ${at}`))
  expect(story.filter((line) => line.startsWith('begin'))).toHaveLength(32)
  expect(told).toHaveLength(40)
  expect(told[31]).toBe('c32 31')
  expect(told[32]).toMatch(/^c33 Error: not run: a turn has at most 32 calls/)
})

test('many results of one turn share the room of four', async () => {
  const limits: number[] = []
  const read = tool('read', true, async (args, { outputLimit }) => {
    limits.push(outputLimit)
    return args
  })
  await make([read], 'read a', 'read b', 'read c', 'read d')
  await make([read], ...Array.from({ length: 8 }, (_, at) => `read ${at}`))
  expect(limits).toEqual([...Array<number>(4).fill(1000), ...Array<number>(8).fill(500)])
})
