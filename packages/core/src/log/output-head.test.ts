import { expect, test } from 'vitest'
import fc from 'fast-check'
import { looksLikeEvents, MAX_OUTPUT_BYTES, outputHead, parseOutputHead, type OutputHead } from './output-head.ts'

const head: OutputHead = { n: 7, at: 1_700_000_000_000, stream: 'stderr', bytes: 4711 }

test('a written head can be read again', () => {
  const any = fc.record({
    n: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    at: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    stream: fc.constantFrom('stdout' as const, 'stderr' as const),
    bytes: fc.integer({ min: 1, max: MAX_OUTPUT_BYTES }),
  })
  fc.assert(
    fc.property(any, (one) => {
      expect(parseOutputHead(outputHead(one))).toEqual(one)
    }),
  )
})

test.each([
  ['more bytes than may follow', { bytes: MAX_OUTPUT_BYTES + 1 }],
  ['no bytes', { bytes: 0 }],
  ['fewer than none', { bytes: -1 }],
  ['half a byte', { bytes: 1.5 }],
  ['a number that is none', { n: 0 }],
  ['a number beyond what is exact', { n: 2 ** 53 }],
  ['a time before 1970', { at: -1 }],
  ['no time', { at: NaN }],
])('%s makes it no head', (_what, wrong) => {
  expect(parseOutputHead(outputHead({ ...head, ...wrong }))).toBeNull()
})

test.each([
  ['another stream', (line: string) => line.replace('stderr', 'stdin')],
  ['a space', (line: string) => line.replace(',', ', ')],
  ['a field more', (line: string) => line.replace('}', ',"x":1}')],
  ['a field twice', (line: string) => line.replace('}', ',"bytes":1}')],
  ['text behind it', (line: string) => `${line} `],
  ['a number with a nought before it', (line: string) => line.replace('"n":7', '"n":07')],
])('%s makes it no head either', (_what, change) => {
  expect(parseOutputHead(outputHead(head))).toEqual(head)
  expect(parseOutputHead(change(outputHead(head)))).toBeNull()
})

test('a line of a text that begins like an event is seen, wherever it is', () => {
  expect(['{"n":', 'a\n{"n":1', '\n{"n":'].map(looksLikeEvents)).toEqual([true, true, true])
  expect(['', 'a{"n":1', '\n{"m":', ' {"n":'].map(looksLikeEvents)).toEqual([false, false, false, false])
})
