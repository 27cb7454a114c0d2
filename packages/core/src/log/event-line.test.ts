import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventLine, MAX_LINE_BYTES, parseEventLine } from './event-line.ts'

const line = (fields: object) => JSON.stringify({ n: 1, at: 1000, ...fields })
const result = {
  type: 'result',
  outcome: 'success',
  text: '',
  commit: null,
  dirty: false,
  savedRef: null,
  exitCode: null,
}

describe('an event line', () => {
  test.each([
    { type: 'output', stream: 'stdout', text: 'a\u0000b' },
    { type: 'message', text: 'BLOCKED: no' },
    { type: 'tool_call', call: 'c1', tool: 'bash', arguments: '{' },
    { type: 'tool_result', call: 'c1', tool: 'bash', ok: false, text: '', durationMs: 0 },
    { type: 'usage', model: 'm', input: 1, output: 2 },
    { type: 'step', step: 1, maxSteps: 100 },
    { type: 'section', title: 'test', command: 'npm test' },
    { type: 'section_end', title: 'test', exitCode: null, durationMs: 5 },
    { type: 'warning', text: 'w' },
    result, // as agents wrote it before reasons existed
    { ...result, outcome: 'failed', reason: 'push_conflict' },
  ])('of type $type is read', (fields) => {
    expect(parseEventLine(line(fields))).toEqual({ n: 1, at: 1000, ...fields })
  })

  test.each([
    ['no JSON', '{"n":1,"at":'],
    ['no object', '[{"n":1}]'],
    ['ordinary output', 'Tests: 3 passed'],
    ['JSON of somebody else', '{"level":30,"msg":"x"}'],
    ['an unknown type', line({ type: 'verdict', text: '' })],
    ['a number that is none', '{"n":"1","at":1,"type":"warning","text":""}'],
    ['numbers below the first', '{"n":0,"at":1,"type":"warning","text":""}'],
    ['a number beyond safe integers', '{"n":1e300,"at":1,"type":"warning","text":""}'],
    ['a time before all times', '{"n":1,"at":-1,"type":"warning","text":""}'],
    ['a text that is none', line({ type: 'message', text: { toString: 'x' } })],
    ['an outcome that agents cannot have', line({ ...result, outcome: 'COMPLETED' })],
    ['a reason that nobody knows', line({ ...result, outcome: 'failed', reason: 'bad_luck' })],
    ['a reason that is no word', line({ ...result, outcome: 'failed', reason: { text: 'stopped' } })],
    ['a result without its commit', line({ ...result, commit: undefined })],
    ['a fraction of a token', line({ type: 'usage', model: 'm', input: 0.5, output: 1 })],
    ['the fields in another order', '{"type":"warning","n":1,"at":1,"text":""}'],
    ['a space before it', ` ${line({ type: 'warning', text: '' })}`],
    ['nothing', ''],
  ])('with %s is raw output', (_, text) => {
    expect(parseEventLine(text)).toBeNull()
  })

  test('loses fields that it does not know', () => {
    const forged = line({ type: 'warning', text: 'w', state: 'COMPLETED', __proto__: { admin: true } })
    expect(Object.keys(parseEventLine(forged) ?? {})).toEqual(['n', 'at', 'type', 'text'])
  })

  test('of output, which is read by hand, agrees with the schema', () => {
    const odd = fc.constantFrom(undefined, null, 0, -0, -1, 1.5, 1e300, 7, '7', 'x', true, [], {})
    const or = <T>(good: T) => fc.oneof({ weight: 3, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: odd })
    const fields = fc.record(
      { at: or(5), type: or('output'), stream: or('stderr'), text: or('a\n'), more: odd },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(or(3), fields, (n, rest) => {
        const text = JSON.stringify({ n: n ?? null, ...rest })
        const read = EventLine.safeParse(JSON.parse(text))
        expect(parseEventLine(text)).toEqual(read.success ? read.data : null)
      }),
    )
  })

  test('longer than the limit is raw output: we never write one', () => {
    const bare = line({ type: 'message', text: '' }).length
    expect(parseEventLine(line({ type: 'message', text: 'x'.repeat(MAX_LINE_BYTES - bare) }))).not.toBeNull()
    expect(parseEventLine(line({ type: 'message', text: 'x'.repeat(MAX_LINE_BYTES - bare + 1) }))).toBeNull()
  })

  test('nested without end does not throw', () => {
    expect(parseEventLine(`{"n":${'['.repeat(30_000)}`)).toBeNull()
  })

  test('is read back unchanged, whatever its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1 }), fc.nat(), (text, n, at) => {
        const event = { n, at, type: 'message', text }
        expect(parseEventLine(JSON.stringify(event))).toEqual(event)
      }),
    )
  })

  test('never throws, whatever a container writes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(() => parseEventLine(`{"n":${text}`)).not.toThrow()
        expect(() => parseEventLine(text)).not.toThrow()
      }),
    )
  })
})
