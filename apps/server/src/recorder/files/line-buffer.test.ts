import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineBuffer, SPLIT_MARK } from './line-buffer.ts'
import { TailBuffer } from './tail-buffer.ts'

function through(chunks: Buffer[], limit: number): Buffer {
  const emitted: Buffer[] = []
  const buffer = new LineBuffer(limit, (lines) => {
    expect(lines.at(-1)).toBe(10)
    emitted.push(Buffer.from(lines))
  })
  for (const chunk of chunks) buffer.push(chunk)
  buffer.end()
  return Buffer.concat(emitted)
}

function cut(bytes: Buffer, at: number[]): Buffer[] {
  const places = [...new Set([0, ...at.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

const someBytes = fc
  .array(fc.constantFrom(...Buffer.from('ab\n\n\n\r'), 0, 0xff, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xa7, 0xb5))
  .map((bytes) => Buffer.from(bytes))

test('wherever the chunks are cut, the lines are the same', () => {
  fc.assert(
    fc.property(someBytes, fc.array(fc.nat(1000)), fc.integer({ min: 5, max: 40 }), (bytes, places, limit) => {
      const whole = through([bytes], limit)
      expect(through(cut(bytes, places), limit)).toEqual(whole)
      expect(isUtf8(whole)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('lines that fit are kept byte for byte, invalid UTF-8 becomes U+FFFD', () => {
  fc.assert(
    fc.property(someBytes, (bytes) => {
      const ended = bytes.length === 0 || bytes.at(-1) === 10 ? bytes : Buffer.concat([bytes, Buffer.from('\n')])
      expect(through([bytes], 100_000)).toEqual(isUtf8(ended) ? ended : Buffer.from(ended.toString('utf8')))
    }),
  )
})

test('a line that is too long is split visibly between characters, and loses nothing', () => {
  const line = '🧵'.repeat(10)
  const split = through([Buffer.from(`${line}\nshort\n`)], 10).toString()
  expect(split.split('\n').slice(0, 3)).toEqual(['🧵🧵 …↩', '🧵🧵 …↩', '🧵🧵 …↩'])
  expect(split.replaceAll(SPLIT_MARK.toString(), '')).toBe(`${line}\nshort\n`)
})

test('a line of exactly the limit is not split', () => {
  expect(through([Buffer.from('1234567890\n')], 10).toString()).toBe('1234567890\n')
  expect(through([Buffer.from('12345678901\n')], 10).toString()).toBe('1234567890 …↩\n1\n')
})

test('a reader sees the end of the waiting line', () => {
  const buffer = new LineBuffer(1 << 20, () => undefined)
  buffer.push(Buffer.from('done\n 10%\r 20%'))
  expect(buffer.partial()).toBe(' 10%\r 20%')
  buffer.push(Buffer.alloc(100_000, 97))
  expect(buffer.partial()).toBe('a'.repeat(8192))
})

test('the tail is the last whole lines that fit', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })), fc.nat(40), (all, limit) => {
      const tail = new TailBuffer(limit)
      for (const line of all) tail.push(Buffer.from(`${line}\n`))
      let expected = ''
      for (const line of all.toReversed()) {
        if (expected.length + line.length + 1 > limit) {
          if (expected === '') expected = limit === 0 ? '' : `${line}\n`.slice(-limit)
          break
        }
        expected = `${line}\n${expected}`
      }
      expect(tail.bytes().toString()).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
