import { expect, test } from 'vitest'
import { ControlBytes, countLines } from './control-bytes.ts'

const byHand = (text: Uint8Array) =>
  [...text.entries()].filter(([, byte]) => byte <= 27).map(([at, byte]) => [byte, at])
const found = (text: Uint8Array) => {
  const all: number[][] = []
  const controls = new ControlBytes(text)
  for (let at = controls.next(0); at !== -1; at = controls.next(at + 1)) all.push([text[at] ?? -1, at])
  return all
}

test('every byte up to the escape is found, in order, wherever the text is in memory and whatever its bytes are', () => {
  const all = Uint8Array.from({ length: 256 * 5 }, (_, n) => (n * 167) & 255)
  for (let from = 0; from < 9; from++)
    for (let length = 0; length < 40; length++) {
      const text = all.subarray(from * 31, from * 31 + length)
      expect(found(text)).toEqual(byHand(text))
    }
  expect(found(all)).toEqual(byHand(all))
})

test('each byte is distinguished from its neighbours', () => {
  for (const [byte, other] of [
    [27, 28],
    [10, 0x80],
    [0, 0xff],
    [27, 0x9b],
  ] as const)
    for (let at = 0; at < 8; at++) {
      const text = new Uint8Array(8).fill(other)
      text[at] = byte
      expect(found(text)).toEqual([[byte, at]])
    }
  expect(found(new Uint8Array(64).fill(28))).toEqual([])
})

test('lines are counted by their ends', () => {
  expect(countLines(Buffer.from('\n\na\x1b[1mü\nrest'))).toBe(3)
  expect(countLines(Buffer.alloc(0))).toBe(0)
})
