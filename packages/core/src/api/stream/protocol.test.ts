import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClientFrame } from './client-frame.ts'
import { decodeLogChunk, encodeLogChunk } from './protocol.ts'

const u32 = fc.integer({ min: 0, max: 0xffffffff })

describe('a chunk of a log', () => {
  test('survives encoding and decoding, even out of the middle of a larger buffer', () => {
    fc.assert(
      fc.property(u32, u32, u32, fc.uint8Array({ maxLength: 500 }), fc.nat(20), (ch, firstLine, count, text, shift) => {
        const frame = encodeLogChunk(ch, firstLine, count, text)
        expect(decodeLogChunk(frame)).toEqual({ ch, firstLine, count, text })
        const larger = new Uint8Array(frame.length + shift + 3)
        larger.set(frame, shift)
        const view = larger.subarray(shift, shift + frame.length)
        expect(decodeLogChunk(view)).toEqual({ ch, firstLine, count, text })
      }),
    )
  })

  test('has the documented layout: little endian, twelve bytes, text', () => {
    const frame = encodeLogChunk(1, 0x01020304, 2, new TextEncoder().encode('é\n'))
    expect([...frame]).toEqual([1, 0, 0, 0, 4, 3, 2, 1, 2, 0, 0, 0, 0xc3, 0xa9, 10])
  })

  test('shorter than its header is refused', () => {
    expect(() => decodeLogChunk(new Uint8Array(11))).toThrow('log chunk of 11 bytes is shorter than its header')
    expect(decodeLogChunk(new Uint8Array(12)).text).toHaveLength(0)
  })
})

describe('a frame of a client', () => {
  const accepts = (frame: unknown) => ClientFrame.safeParse(frame).success

  test.each([
    { type: 'hello', proto: 1 },
    { type: 'sub', ch: 0, topic: 'home', next: 0 },
    { type: 'sub', ch: 0xffffffff, topic: 'log:ex-0000000000.1', next: 12, epoch: 'e' },
    { type: 'unsub', ch: 3 },
    { type: 'ping', t: 1.5 },
  ])('is accepted: %j', (frame) => {
    expect(accepts(frame)).toBe(true)
  })

  test.each([
    null,
    [],
    'hello',
    { type: 'hello' },
    { type: 'sub', ch: -1, topic: 'home', next: 0 },
    { type: 'sub', ch: 0x1_0000_0000, topic: 'home', next: 0 },
    { type: 'sub', ch: 0, topic: 'x'.repeat(201), next: 0 },
    { type: 'sub', ch: 0, topic: 'home', next: -1 },
    { type: 'sub', ch: 0, topic: 'home', next: 0.5 },
    { type: 'sub', ch: 0, topic: 'home', next: 0, admin: true },
    { type: 'unsub', ch: '3' },
    { type: 'ping', t: 'now' },
    { type: 'queue', bead: 'bd-1' },
  ])('is refused: %j', (frame) => {
    expect(accepts(frame)).toBe(false)
  })
})
