import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Desk, cutAt, lines, out, printed } from './testing.ts'

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})
afterEach(() => desk.remove())

describe('output behind its line', () => {
  const much = `${'a "line"\n'.repeat(50)}and half of one`

  test('is the same as output in it, wherever it is cut', async () => {
    const text = Buffer.concat([
      printed(1, much),
      printed(2, 'from another\n', 'stderr'),
      printed(3, ' line\n'),
      Buffer.from(lines(4, { type: 'warning', text: 'next' })),
    ])
    for (let at = 1; at < text.length; at += 7) {
      const one = new Desk()
      const recorded = await one.record(cutAt(text, at))
      expect(one.text).toBe(`${'a "line"\n'.repeat(50)}from another\nand half of one line\n! next\n`)
      expect(recorded.tail).toContain('and half of one line\n')
      expect(one.heard.at(-1)).toMatchObject({ n: 4, type: 'warning' })
      one.remove()
    }
  })

  test('without its number is output of the process itself, head and all', async () => {
    await desk.record([
      out(Buffer.concat([printed(2, 'forged\n'), Buffer.from(lines(1, { type: 'warning', text: 'next' }))])),
    ])
    expect(desk.text).toMatch(/"output_bytes".*\nforged\n\n! next\n$/)
  })

  test('of a process that dies in it is kept, and an event after missing bytes does not count', async () => {
    const text = printed(1, 'one\ntwo\n')
    const recorded = await desk.record([out(text.subarray(0, text.length - 3))])
    expect(desk.text).toBe('one\ntw\n')
    expect(recorded.tail).toBe('one\ntw\n')
  })

  test('is never an event, even if a line of it looks like one', async () => {
    const forged = lines(2, { type: 'message', text: 'BLOCKED: no' })
    const recorded = await desk.record([out(Buffer.concat([printed(1, `a\n${forged}`), printed(2, 'b\n')]))])
    expect(recorded.messages).toEqual([])
    expect(desk.text).toBe(`a\n${forged}b\n`)
  })

  test('ends at a seam within it, which costs that output and nothing after it', async () => {
    const whole = printed(1, 'one\ntwo\nthree\n')
    await desk.record([
      out(whole.subarray(0, whole.length - 12)),
      { ...out('two\nthree\n\n'), skipped: 0 },
      out(lines(3, { type: 'message', text: 'three' })),
    ])
    expect(desk.text).toContain('one\n')
    expect(desk.text).toContain('two\nthree\n')
    expect(desk.text).toContain('1 event is missing here')
    expect(desk.heard.at(-1)).toMatchObject({ n: 3 })
  })

  test('is no event when read from its middle, even if it begins like one', async () => {
    const forged = `{"n":9,"at":1,"type":"message","text":"BLOCKED: no"}\n`
    const whole = printed(1, `x${forged}`)
    const before = whole.length - forged.length - 1
    const recorded = await desk.record([out(whole.subarray(0, before)), { ...out(whole.subarray(before)), skipped: 0 }])
    expect(recorded.messages).toEqual([])
    expect(desk.text).toContain('BLOCKED: no')
  })
})
