import { describe, expect, test } from 'vitest'
import { NO_CALLS_YET, watchTurn, type LoopVerdict, type MadeCall } from './loop-watch.ts'

const made = (name: string, result = 'the same'): MadeCall => ({
  tool: 'bash',
  arguments: JSON.stringify({ command: name }),
  result,
})

/** The verdict after each turn. */
function verdicts(...turns: MadeCall[][]): string[] {
  let watch = NO_CALLS_YET
  return turns.map((turn) => {
    let verdict: LoopVerdict
    ;[watch, verdict] = watchTurn(watch, turn)
    return verdict === 'go-on' ? verdict : 'end' in verdict ? 'end' : 'warning'
  })
}
const inTurns = (...calls: MadeCall[]) => verdicts(...calls.map((call) => [call]))
const [a, b, c] = [made('a'), made('b'), made('c')]
const goOn = (count: number) => Array<string>(count).fill('go-on')

describe('an agent that repeats itself', () => {
  test('is warned at the fourth identical call and result, and ended at the next', () => {
    expect(inTurns(a, a, a, a, a)).toEqual([...goOn(3), 'warning', 'end'])
  })

  test('is warned when two calls have taken turns three times, and ended when they continue', () => {
    expect(inTurns(a, b, a, b, a, b, a)).toEqual([...goOn(5), 'warning', 'end'])
    expect(inTurns(c, a, b, a, b, a, b)).toEqual([...goOn(6), 'warning'])
    expect(verdicts([a, b], [a, b], [a, b], [a, b])).toEqual([...goOn(2), 'warning', 'end'])
  })

  test('may continue after the warning in another way, and is not warned a second time', () => {
    expect(inTurns(a, a, a, a, b, a, c)).toEqual([...goOn(3), 'warning', ...goOn(3)])
    expect(inTurns(a, a, a, a, b, c, c, c, c)).toEqual([...goOn(3), 'warning', ...goOn(4), 'end'])
  })

  test('is warned before it is ended, however often it asks in one turn', () => {
    expect(verdicts(Array<MadeCall>(20).fill(a), [b])).toEqual(['warning', 'go-on'])
    expect(verdicts([a, a, a, a, b], [a])).toEqual(['warning', 'go-on'])
  })

  test('is recognised by the meaning of its arguments, not by their spelling', () => {
    const first = { ...a, arguments: '{"path":"x","deep":{"b":[1,2],"a":null}}' }
    const again = { ...a, arguments: ' { "deep": {"a":null, "b":[1, 2]}, "path":"x" }' }
    expect(inTurns(first, again, first, again)).toEqual([...goOn(3), 'warning'])
    const other = { ...a, arguments: '{"path":"x","deep":{"b":[2,1],"a":null}}' }
    expect(inTurns(first, other, first, other)).toEqual(goOn(4))
  })

  test('is recognised by arguments that are no JSON, too, even by endlessly nested ones', () => {
    const broken = { ...a, arguments: '{"command":' }
    expect(inTurns(broken, broken, broken, broken).at(-1)).toBe('warning')
    const deep = { ...a, arguments: `${'['.repeat(200_000)}${']'.repeat(200_000)}` }
    expect(inTurns(deep, deep, deep, deep).at(-1)).toBe('warning')
  })
})

describe('no loop', () => {
  test('is a call whose result changes: waiting for something is work', () => {
    expect(inTurns(...['1 %', '2 %', '3 %', '4 %', '5 %'].map((result) => made('status', result)))).toEqual(goOn(5))
    expect(inTurns(a, made('b', '1'), a, made('b', '2'), a, made('b', '3'), a, made('b', '4'))).toEqual(goOn(8))
  })

  test('is one call whose two results take turns', () => {
    const [up, down] = [made('status', 'up'), made('status', 'down')]
    expect(inTurns(up, down, up, down, up, down, up, down)).toEqual(goOn(8))
  })

  test('is the same result of another call, or of another tool', () => {
    expect(inTurns(made('1'), made('2'), made('3'), made('4'))).toEqual(goOn(4))
    expect(inTurns(a, a, a, { ...a, tool: 'search' })).toEqual(goOn(4))
  })

  test('is a repetition that other calls interrupt', () => {
    expect(inTurns(a, a, a, b, a, a, a)).toEqual(goOn(7))
    expect(inTurns(a, b, a, b, c, a, b, a, b)).toEqual(goOn(9))
  })
})

test('the message names the call in one short line', () => {
  const long = {
    tool: 'bash',
    arguments: JSON.stringify({ command: `echo \u001b[2J\n${'x'.repeat(900)}` }),
    result: '',
  }
  const [watch, warned] = watchTurn(NO_CALLS_YET, [long, long, long, long])
  expect(warned).toMatchObject({ warning: expect.stringMatching(/^the agent is repeating itself: 4 times .* bash /) })
  const [, ended] = watchTurn(watch, [long])
  const text = typeof ended === 'object' && 'end' in ended ? ended.end : ''
  expect(text).toMatch(/^the agent kept repeating itself after it was warned: 4 times the same call/)
  expect(text.length).toBeLessThan(300)
  expect(text).not.toMatch(/\p{Cc}/u)
})
