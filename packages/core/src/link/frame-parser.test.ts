import fc from 'fast-check'
import { crc32 as nodeCrc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32 } from './checksum.ts'
import { FrameParser } from './frame-parser.ts'
import { FrameSealer, HEAD_BYTES, MAX_PAYLOAD_BYTES, type Frame, type FrameType } from './frame.ts'
import { PREAMBLE_BYTES, putPreamble, type Preamble } from './preamble.ts'
import { bytesFrom, chanceOf, joined } from './testing/chance.ts'
import { magic, nonceOf } from './testing/lab.ts'

const tag = nonceOf(1).slice(0, 8)

function sealed(payloads: readonly Uint8Array[], of = tag): Uint8Array[] {
  const sealer = new FrameSealer(of, crc32)
  return payloads.map((payload, at) => {
    const frame = new Uint8Array(HEAD_BYTES + payload.length)
    frame.set(payload, HEAD_BYTES)
    sealer.seal(frame, 0, 2 as FrameType, at, payload.length)
    return frame
  })
}

function reading() {
  const [frames, preambles]: [Frame[], Preamble[]] = [[], []]
  let broken = 0
  const parser = new FrameParser(magic, crc32, {
    frame: (frame) => frames.push(frame),
    preamble: (preamble) => preambles.push(preamble),
    broken: () => (broken += 1),
  })
  parser.expect(tag)
  return { parser, frames, preambles, broken: () => broken }
}

/** The same bytes in chunks of other sizes. */
function* chunksOf(bytes: Uint8Array, seed: number): Generator<Uint8Array> {
  const chance = chanceOf(seed)
  const most = chance() < 0.5 ? 30 : 70_000
  for (let at = 0, size = 0; at < bytes.length; at += size) {
    size = 1 + Math.floor(chance() * most)
    yield bytes.slice(at, at + size)
  }
}

const payloads = fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constant(bytesFrom(1, MAX_PAYLOAD_BYTES))), {
  maxLength: 12,
})

test("the checksum is zlib's", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (bytes, seed) => {
      expect(crc32(bytes, seed)).toBe(nodeCrc32(bytes, seed))
    }),
  )
})

test('frames come out whole and in order, wherever the carrier cuts, even with noise between them', () => {
  fc.assert(
    fc.property(payloads, fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer(), (sent, noises, seed) => {
      const { parser, frames, broken } = reading()
      const mixed = sealed(sent).flatMap((frame, at) => [noises[at] ?? new Uint8Array(), frame])
      for (const chunk of chunksOf(joined(mixed), seed)) parser.receive(chunk)
      expect(frames.map(({ payload }) => payload.length)).toEqual(sent.map(({ length }) => length))
      expect(frames.every(({ payload }, at) => Buffer.from(payload).equals(sent[at]!))).toBe(true)
      expect(broken()).toBe(0)
    }),
    { numRuns: 30 },
  )
})

test('stale frames of an older tenure between frames of this one are skipped', () => {
  const { parser, frames, broken } = reading()
  const stale = sealed([bytesFrom(1, 500), bytesFrom(2, 50)], nonceOf(9).slice(0, 8))
  const [first, second] = sealed([bytesFrom(3, 10), bytesFrom(4, 20)])
  parser.receive(joined([stale[0]!, first!, stale[1]!, stale[0]!.slice(0, 300), second!]))
  expect([frames.length, broken()]).toEqual([2, 0])
})

test('a flipped bit, a lost byte and a repeated or missing frame are all found out: no wrong byte comes out', () => {
  const spoils: ((bytes: Uint8Array, at: number) => Uint8Array)[] = [
    (bytes, at) => bytes.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte)),
    (bytes, at) => joined([bytes.slice(0, at), bytes.slice(at + 1)]),
    (bytes, at) => joined([bytes.slice(0, at), Uint8Array.of(7), bytes.slice(at)]),
  ]
  const sent = Array.from({ length: 6 }, (_, at) => bytesFrom(at, 100 + at))
  const whole = sealed(sent)
  const some = fc.constantFrom(...spoils)
  fc.assert(
    fc.property(some, fc.nat(joined(whole).length - 1), fc.integer(), (spoil, at, seed) => {
      const { parser, frames } = reading()
      for (const chunk of chunksOf(spoil(joined(whole), at), seed)) parser.receive(chunk)
      expect(frames.every(({ payload }, place) => Buffer.from(payload).equals(sent[place]!))).toBe(true)
    }),
  )
  for (const order of [[0, 0, 1], [0, 2], [1], [0, 1, 0]]) {
    const { parser, frames, broken } = reading()
    parser.receive(joined(order.map((at) => whole[at]!)))
    expect(frames.map(({ stream }) => stream)).toEqual(order.filter((at, place) => at === place))
    expect(broken()).toBe(1)
  }
})

test('a preamble is found after, between and inside anything', () => {
  const syn = new Uint8Array(PREAMBLE_BYTES)
  putPreamble(syn, 0, magic, { kind: 'syn', nonce: nonceOf(5), other: nonceOf(6) }, crc32)
  const [large] = sealed([bytesFrom(1, 30_000)])
  fc.assert(
    fc.property(fc.nat(large!.length), fc.uint8Array({ maxLength: 50 }), fc.integer(), (cut, noise, seed) => {
      const { parser, preambles } = reading()
      const bytes = joined([large!.slice(0, cut), syn, noise, magic.slice(0, 7), syn])
      for (const chunk of chunksOf(bytes, seed)) parser.receive(chunk)
      expect(preambles.map(({ nonce }) => Buffer.from(nonce).toString('hex'))).toEqual(
        Array(2).fill(Buffer.from(nonceOf(5)).toString('hex')),
      )
    }),
  )
})
