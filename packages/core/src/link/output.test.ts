import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32 } from './checksum.ts'
import { FrameSealer, frameTypes, MAX_FRAME_BYTES } from './frame.ts'
import { MAX_WINDOW_BYTES } from './link-bounds.ts'
import { feedFrom } from './spool-feed.ts'
import type { Spool } from './spool.ts'
import { put48 } from './wire-numbers.ts'
import { bytesFrom, chanceOf, joined, printOf } from './testing/chance.ts'
import { forge } from './testing/forger.ts'
import { Lab, nonceOf, settle, taken, Wire } from './testing/lab.ts'
import { MemorySpool } from './testing/memory-spool.ts'
import { OutputRecord } from './testing/output-record.ts'
import { Reading } from './testing/reading.ts'

const labWith = (spool: Spool) =>
  new Lab({ output: (sender) => feedFrom((name) => (name === 'ex-1.1' ? spool : null), sender) })

function numberOf(offset: number): Uint8Array {
  const bytes = new Uint8Array(6)
  put48(bytes, 0, offset)
  return bytes
}

/** The feed continues to read in microtasks. */
async function rest(wires: Wire[], cut?: () => number): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    const before = wires.map(({ inFlight }) => inFlight.toServer.length)
    settle(wires, cut)
    await Promise.resolve()
    await Promise.resolve()
    if (wires.some((wire, at) => wire.carrier.hasMore || wire.inFlight.toServer.length !== before[at])) quiet = -1
  }
}

describe('output', () => {
  test('that is followed arrives whole, is acknowledged to its end, and has ended', async () => {
    const spool = new MemorySpool(bytesFrom(1, 3 * MAX_WINDOW_BYTES), 1000)
    const lab = labWith(spool)
    const { server, wire } = taken(lab)
    const record = new OutputRecord()
    record.follow(server.end.follow('ex-1.1', 0)!)
    await rest([wire])
    expect([record.at, record.hasEnded]).toEqual([1000, false])
    spool.grow(Infinity)
    await rest([wire])
    expect(printOf(joined(record.pieces))).toBe(printOf(spool.bytes))
    expect([record.hasEnded, spool.acknowledgedTo]).toEqual([true, spool.bytes.length])
  })

  test('arrives once and in order, whoever dies at whichever byte, and is dropped only when it was stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 400_000 }), async (seed, size) => {
        const chance = chanceOf(seed)
        const spool = new MemorySpool(bytesFrom(seed, size), 0)
        let lab = labWith(spool)
        const record = new OutputRecord()
        let durable = 0 // the part that the next server finds; the record is cut back to it, as after a power cut
        for (let servers = 0; !record.hasEnded; servers++) {
          while (record.at > durable) record.at -= record.pieces.pop()!.length
          const { server, wire } = taken(lab)
          record.follow(server.end.follow('ex-1.1', record.at)!, () => {
            if (chance() < 0.3) return false
            durable = record.at
            return true
          })
          const life = servers > 12 ? Infinity : chance() * 60
          for (let round = 0; round < life && !record.hasEnded; round++) {
            if (chance() < 0.5) spool.grow(spool.length + chance() * 50_000)
            wire.move(() => chance() ** 2 * 2 * MAX_FRAME_BYTES)
            await Promise.resolve()
          }
          // The server is killed here, at any byte: the carrier is cut, or just never heard of again.
          if (chance() < 0.5) wire.cut()
          if (chance() < 0.3) lab = labWith(spool) // and the supervisor is killed
        }
        expect(printOf(joined(record.pieces))).toBe(printOf(spool.bytes))
        expect(record.gaps).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('arrives once and in order over carriers that flip, lose, repeat and add bytes', async () => {
    const spoils: ((bytes: Uint8Array, at: number) => Uint8Array)[] = [
      (bytes, at) => bytes.map((byte, place) => (place === at ? byte ^ 16 : byte)),
      (bytes, at) => joined([bytes.slice(0, at), bytes.slice(at + 1)]),
      (bytes, at) => joined([bytes.slice(0, at), bytes.slice(at >> 1, at), bytes.slice(at)]),
      (bytes, at) => joined([bytes.slice(0, at), bytesFrom(at, 100), bytes.slice(at)]),
    ]
    let broken = 0
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 400_000 }), async (seed, size) => {
        const chance = chanceOf(seed)
        const spool = new MemorySpool(bytesFrom(seed, size))
        spool.ended = true
        const lab = labWith(spool)
        const record = new OutputRecord()
        let held: Uint8Array | null = null
        for (let servers = 0; !record.hasEnded; servers++) {
          const server = lab.server({
            before: held,
            events: { taken: () => record.follow(server.end.follow('ex-1.1', record.at)!) },
          })
          const wire = new Wire(lab, server)
          wire.spoil = (_, bytes) => {
            const spoil = chance() < 0.06 && servers < 20 ? spoils[Math.floor(chance() * spoils.length)] : undefined
            return spoil ? spoil(bytes, Math.floor(chance() * bytes.length)) : bytes
          }
          for (let round = 0; round < 300 && !record.hasEnded; round++) {
            server.end.tick(round * 100)
            wire.move(() => chance() ** 2 * MAX_FRAME_BYTES)
            await Promise.resolve()
          }
          broken += server.seen.length - 1
          held = server.end.held
          expect(server.seen).not.toContain('fenced') // there is no other server
        }
        expect(printOf(joined(record.pieces))).toBe(printOf(spool.bytes))
        expect(record.gaps).toEqual([])
      }),
      { numRuns: 25 },
    )
    expect(broken).toBeGreaterThan(0)
  })

  test('that was dropped before it was followed becomes a recorded gap', async () => {
    const spool = new MemorySpool(bytesFrom(2, 200_000))
    spool.ended = true
    spool.dropped = 70_000
    const { server, wire } = taken(labWith(spool))
    const record = new OutputRecord()
    record.at = 500
    record.follow(server.end.follow('ex-1.1', 500)!)
    await rest([wire])
    expect(record.gaps).toEqual([[500, 70_000]])
    expect(printOf(joined(record.pieces))).toBe(printOf(spool.bytes.slice(70_000)))
    expect(record.hasEnded).toBe(true)
  })

  test('that is dropped while it is followed is a gap too, even at its end', async () => {
    const spool = new MemorySpool(bytesFrom(3, 500_000), 100_000)
    const lab = labWith(spool)
    const { server, wire } = taken(lab)
    const record = new OutputRecord()
    record.follow(server.end.follow('ex-1.1', 0)!)
    wire.move()
    spool.dropped = 500_000
    spool.grow(500_000)
    await rest([wire])
    expect(record.gaps).toEqual([[joined(record.pieces).length, 500_000]])
    expect([record.hasEnded, spool.acknowledgedTo]).toEqual([true, 500_000])
  })

  test('of a missing or unreadable spool is refused', async () => {
    const broken: Spool = {
      read: () => Promise.reject(new Error('EIO')),
      watch: () => () => {},
      acknowledged: () => {},
    }
    const { server, wire } = taken(labWith(broken))
    const closed: unknown[] = []
    for (const name of ['ex-9.9', 'ex-1.1'])
      server.end.follow(name, 0)!.events = { readable: () => {}, closed: (why) => closed.push(why) }
    await rest([wire])
    expect(closed).toEqual(['refused', 'refused'])
  })

  test('that nobody reads stops after a window', async () => {
    const spool = new MemorySpool(new Uint8Array(20 * MAX_WINDOW_BYTES))
    const { server, wire } = taken(labWith(spool))
    const receiver = server.end.follow('ex-1.1', 0)!
    let arrived = 0
    wire.spoil = (way, bytes) => {
      if (way === 'toServer') arrived += bytes.length
      return bytes
    }
    await rest([wire])
    expect(arrived).toBeLessThan(2 * 64 * 1024)
    const record = new OutputRecord()
    record.follow(receiver)
    receiver.events!.readable()
    await rest([wire])
    expect(record.at).toBe(spool.bytes.length)
  })

  test('is not dropped by a claim that more was stored than was sent', async () => {
    const spool = new MemorySpool(bytesFrom(4, 50_000), 20_000)
    const { server, wire } = taken(labWith(spool))
    server.end.follow('ex-1.1', 0)
    await rest([wire])
    const sealer = new FrameSealer(nonceOf(1).slice(0, 8), crc32)
    forge(sealer, frameTypes.open, 2, '') // the number of the frame that has been sent
    for (const offset of [20_001, 50_000, 2 ** 40])
      wire.carrier.receive(forge(sealer, frameTypes.acked, 2, numberOf(offset)))
    expect(spool.acknowledgedTo).toBe(0)
    wire.carrier.receive(forge(sealer, frameTypes.acked, 2, numberOf(20_000)))
    expect(spool.acknowledgedTo).toBe(20_000)
  })

  test('that is no longer wanted stops, and late pieces are no error', async () => {
    const spool = new MemorySpool(new Uint8Array(20 * MAX_WINDOW_BYTES))
    const { server, wire } = taken(labWith(spool))
    const receiver = server.end.follow('ex-1.1', 0)!
    wire.move()
    await Promise.resolve()
    receiver.stop()
    await rest([wire])
    expect(server.seen).toEqual(['taken'])
    expect(wire.carrier.hasMore).toBe(false)
  })
})

test('a flood of output lets requests through: they wait only for the bytes already in the carrier', async () => {
  const spool = new MemorySpool(new Uint8Array(64 * MAX_WINDOW_BYTES))
  const lab = labWith(spool)
  const { server, wire } = taken(lab, {
    events: {
      stream: (_, stream) => {
        stream.events = { readable: () => void stream.read(), writable: () => {}, closed: () => {} }
        stream.write(new Uint8Array(300))
        stream.end()
      },
    },
  })
  const record = new OutputRecord()
  record.follow(server.end.follow('ex-1.1', 0)!)
  const chunk = () => MAX_FRAME_BYTES / 2 // the carrier is slower than the ends
  for (let round = 0; round < 40; round++) {
    wire.move(chunk)
    await Promise.resolve()
  }
  expect(wire.inFlight.toServer.length).toBeGreaterThan(MAX_FRAME_BYTES) // it is a flood
  for (let asked = 0; asked < 20; asked++) {
    const stream = lab.container.open({ kind: 'http', header: {} })!
    const answer = new Reading(stream)
    stream.write(new Uint8Array(200))
    stream.end()
    for (let round = 0; round < 10; round++) {
      wire.move(chunk)
      await Promise.resolve()
    }
    expect([answer.bytes.length, answer.closed]).toEqual([300, null])
  }
  expect(record.at).toBeLessThan(spool.bytes.length)
})
