import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteQueue } from './byte-queue.ts'
import { crc32 } from './checksum.ts'
import { frameTypes, FrameSealer, MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES } from './frame.ts'
import { FIRST_WINDOW_BYTES, MAX_GAPS, MAX_STREAMS, MAX_WAITING_RESETS } from './link-bounds.ts'
import type { LinkStream } from './link-stream.ts'
import { put48 } from './wire-numbers.ts'
import { bytesFrom, chanceOf, joined } from './testing/chance.ts'
import { feedFrom } from './spool-feed.ts'
import { forge, Forger } from './testing/forger.ts'
import { Lab, magic, nonceOf, taken, type Server } from './testing/lab.ts'
import { MemorySpool } from './testing/memory-spool.ts'

const HTTP = '["http",{}]'
const types = Object.values(frameTypes)

/** A server that a hostile container has answered. */
function start() {
  const streams: LinkStream[] = []
  const server = new Lab().server({ events: { stream: (_, stream) => streams.push(stream) } })
  const forger = new Forger(server.end)
  return { server, forger, streams }
}

/** Everything the server wants to send. */
function drain({ end }: Server): number {
  const buffer = new Uint8Array(MAX_FRAME_BYTES)
  let all = 0
  for (let length = end.take(buffer); length > 0; length = end.take(buffer)) all += length
  return all
}

function output(offset: number, length: number): Uint8Array {
  const payload = new Uint8Array(6 + length)
  put48(payload, 0, offset)
  return payload
}

describe('a server throws nothing, whatever a container sends:', () => {
  test('noise with pieces of the patterns it looks for', () => {
    const { forger } = start()
    const pieces = [magic, magic.slice(0, 9), forger.nonce, forger.nonce.slice(0, 8), forger.preamble(forger.nonce)]
    const noise = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...pieces))
    fc.assert(
      fc.property(fc.array(fc.array(noise, { maxLength: 8 }), { maxLength: 40 }), (chunks) => {
        const hostile = start()
        for (const chunk of chunks) hostile.server.end.receive(joined(chunk))
        drain(hostile.server)
      }),
    )
  })

  test('frames of every type for every stream, with the right tag, number and checksum', () => {
    const stream = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.constantFrom(
        HTTP,
        '["output",{"spool":"x","from":0}]',
        '["http"]',
        '{',
        '[[[[',
        '["http",null]',
        '["a b",{}]',
      ),
      fc.constant(new Uint8Array(MAX_PAYLOAD_BYTES)),
    )
    const type = fc.oneof(fc.constantFrom(...types), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(type, stream, payload), { maxLength: 60 }), fc.integer(), (frames, seed) => {
        const { server, forger, streams } = start()
        const chance = chanceOf(seed)
        server.end.open({ kind: 'session', header: {} })
        server.end.follow('ex-1.1', 0)
        for (const [frameType, number, bytes] of frames) {
          server.end.receive(forger.frame(frameType, number, bytes))
          if (chance() < 0.3) drain(server)
          for (const open of streams) if (chance() < 0.3) open.read()
        }
        expect(streams.length).toBeLessThanOrEqual(frames.length)
        expect(['taken', 'broken']).toContain(server.seen.at(-1))
      }),
      { numRuns: 100 },
    )
  })

  test('answers of the supervisor in other words: an end, a fence, bytes that were cut', () => {
    const { server, forger } = start()
    server.end.receive(forger.preamble(bytesFrom(3, 16)))
    expect(server.seen).toEqual(['taken', 'fenced'])
    server.end.receive(forger.frame(frameTypes.open, 1, HTTP))
    expect(drain(server)).toBe(0)
  })
})

describe('a container cannot make the server large:', () => {
  test('bytes beyond a window end the link', () => {
    const { server, forger, streams } = start()
    server.end.receive(forger.frame(frameTypes.open, 1, HTTP))
    for (let sent = 0; sent <= FIRST_WINDOW_BYTES; sent += 16_384)
      server.end.receive(forger.frame(frameTypes.data, 1, new Uint8Array(16_384)))
    expect(server.end.tenure).toBeNull()
    expect(streams).toHaveLength(1)
  })

  test('a window of single bytes takes a few pieces', () => {
    const queue = new ByteQueue()
    const chunk = bytesFrom(1, FIRST_WINDOW_BYTES)
    for (let at = 0; at < chunk.length; at++) queue.push(chunk.subarray(at, at + 1))
    const pieces: Uint8Array[] = []
    for (let piece = queue.shift(); piece; piece = queue.shift()) pieces.push(piece)
    expect(pieces.length).toBeLessThan(10)
    expect(joined(pieces)).toEqual(chunk)
    expect(pieces.every(({ buffer }) => buffer !== chunk.buffer)).toBe(true) // no piece keeps the carrier's chunk
  })

  test('kept pieces take at most three times their size', () => {
    const queue = new ByteQueue()
    for (const length of [1, 5000, 9000, 20_000, 30_000, 65_536]) queue.push(new Uint8Array(65_536).subarray(0, length))
    const pieces: Uint8Array[] = []
    for (let piece = queue.shift(); piece; piece = queue.shift()) pieces.push(piece)
    for (const { length, buffer } of pieces) expect(buffer.byteLength).toBeLessThanOrEqual(Math.max(3 * length, 16_384))
  })

  test('streams beyond the limit are refused, and a container that reads no refusal is cut off', () => {
    const { server, forger, streams } = start()
    for (let opened = 0; opened < MAX_STREAMS + MAX_WAITING_RESETS; opened++)
      server.end.receive(forger.frame(frameTypes.open, 2 * opened + 1, HTTP))
    expect(streams).toHaveLength(MAX_STREAMS)
    expect(server.end.tenure).not.toBeNull()
    server.end.receive(forger.frame(frameTypes.open, 1_000_001, HTTP))
    expect(server.end.tenure).toBeNull()
  })

  test('a million pings are answered once when nobody reads', () => {
    const { server, forger } = start()
    drain(server)
    for (let pings = 0; pings < 1000; pings++) server.end.receive(forger.frame(frameTypes.ping, 0, bytesFrom(pings, 4)))
    expect(drain(server)).toBe(24)
  })

  test('permissions without end are a number', () => {
    const { server, forger, streams } = start()
    server.end.receive(forger.frame(frameTypes.open, 1, HTTP))
    for (let told = 0; told < 5000; told++)
      server.end.receive(forger.frame(frameTypes.win, 1, Uint8Array.of(255, 255, 255, 255)))
    streams[0]!.write(new Uint8Array(1000))
    expect(drain(server)).toBe(1020)
  })

  test('output beyond its window, before its place, or with endless gaps ends the link', () => {
    const follow = () => {
      const { server, forger } = start()
      const receiver = server.end.follow('ex-1.1', 100)!
      drain(server)
      return { server, forger, receiver }
    }
    const early = follow()
    early.server.end.receive(early.forger.frame(frameTypes.out, 2, output(99, 5)))
    expect(early.server.end.tenure).toBeNull()

    const flood = follow()
    for (let at = 0; at <= FIRST_WINDOW_BYTES; at += 16_384)
      flood.server.end.receive(flood.forger.frame(frameTypes.out, 2, output(100 + at, 16_384)))
    expect(flood.server.end.tenure).toBeNull()

    const gaps = follow()
    for (let gap = 1; gap <= MAX_GAPS; gap++)
      gaps.server.end.receive(gaps.forger.frame(frameTypes.out, 2, output(100 + 2 * gap, 1)))
    expect(gaps.server.end.tenure).not.toBeNull()
    gaps.server.end.receive(gaps.forger.frame(frameTypes.out, 2, output(1_000_000, 1)))
    expect(gaps.server.end.tenure).toBeNull()
  })

  test('repeated beginnings of a frame are each looked at once', () => {
    const { server, forger } = start()
    let compared = 0
    const counting = (bytes: Uint8Array) =>
      new Proxy(bytes, {
        get: (target, key) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) compared += 1
          const value = Reflect.get(target, key) as unknown
          return typeof value === 'function' ? (value as () => unknown).bind(target) : value
        },
      })
    const tag = forger.nonce.slice(0, 8)
    const almost = joined(Array.from({ length: 4000 }, () => joined([tag.slice(0, 7), magic.slice(0, 15)])))
    server.end.receive(counting(almost))
    expect(compared).toBeLessThan(20 * almost.length)
  })
})

test('a supervisor that gets forged frames throws nothing, and forgets nothing that it has not sent', () => {
  const opening = fc.constantFrom('["output",{"spool":"ex-1.1","from":0}]', '["output",{"spool":"x","from":-1}]', HTTP)
  const offset = fc.oneof(fc.nat(70_000), fc.nat(2 ** 40)).map((to) => output(to, 0))
  const frames = fc.array(
    fc.tuple(
      fc.constantFrom(...types),
      fc.integer({ min: 0, max: 6 }),
      fc.oneof(opening, offset, fc.uint8Array({ maxLength: 8 })),
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(frames, (forged) => {
      const spool = new MemorySpool(bytesFrom(1, 60_000))
      const lab = new Lab({ output: (sender) => feedFrom((name) => (name === 'ex-1.1' ? spool : null), sender) })
      const { wire } = taken(lab)
      const sealer = new FrameSealer(nonceOf(1).slice(0, 8), crc32)
      const buffer = new Uint8Array(MAX_FRAME_BYTES)
      wire.carrier.receive(forge(sealer, frameTypes.open, 2, '["output",{"spool":"ex-1.1","from":0}]'))
      for (const [type, stream, payload] of forged) {
        wire.carrier.receive(forge(sealer, type, stream, payload)) // the spool checks acknowledgements
        wire.carrier.take(buffer)
      }
      wire.carrier.close()
    }),
    { numRuns: 100 },
  )
})

test('a container that gets a server’s frames mixed with noise throws nothing either', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.constant(magic)), { maxLength: 30 }),
      (chunks) => {
        const carrier = new Lab().container.attach({ wake: () => {}, drop: () => {} })
        const buffer = new Uint8Array(MAX_FRAME_BYTES)
        for (const chunk of chunks) {
          carrier.receive(chunk)
          carrier.take(buffer)
        }
        carrier.close()
      },
    ),
  )
})
