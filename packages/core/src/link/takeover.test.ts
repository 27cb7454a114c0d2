import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32 } from './checksum.ts'
import {
  ANSWER_WITHIN_MS,
  MAX_BREAKS,
  MAX_SKIPPED_BYTES,
  PING_EVERY_MS,
  SILENT_AFTER_MS,
  SYN_EVERY_MS,
} from './link-bounds.ts'
import { NOBODY, putPreamble, PREAMBLE_BYTES } from './preamble.ts'
import { bytesFrom, chanceOf, joined } from './testing/chance.ts'
import { Lab, magic, nonceOf, settle, taken, Wire } from './testing/lab.ts'

function preamble(kind: 'syn' | 'ack', nonce: Uint8Array, other: Uint8Array = NOBODY): Uint8Array {
  const bytes = new Uint8Array(PREAMBLE_BYTES)
  putPreamble(bytes, 0, magic, { kind, nonce, other }, crc32)
  return bytes
}

describe('a server', () => {
  test('takes the link with one preamble, and both sides know', () => {
    const lab = new Lab()
    const { server } = taken(lab)
    expect([server.seen, lab.seen]).toEqual([['taken'], ['taken']])
  })

  test('repeats its preamble until it is answered, and gives up after a while', () => {
    const { end, seen } = new Lab().server()
    const buffer = new Uint8Array(40_000)
    expect(end.take(buffer)).toBe(PREAMBLE_BYTES)
    expect(end.take(buffer)).toBe(0)
    end.tick(SYN_EVERY_MS - 1)
    expect(end.take(buffer)).toBe(0)
    end.tick(SYN_EVERY_MS)
    expect(end.take(buffer)).toBe(PREAMBLE_BYTES)
    end.tick(ANSWER_WITHIN_MS)
    expect(seen).toEqual(['unanswered'])
    expect(end.take(buffer)).toBe(0)
  })

  test('that repeated itself before the answer came is answered and keeps its streams', () => {
    const lab = new Lab()
    const { server, wire } = taken(lab)
    const streams: string[] = []
    const kept = lab.container.open({ kind: 'http', header: {} })
    kept!.events = { readable: () => {}, writable: () => {}, closed: (why) => streams.push(`closed: ${why}`) }
    wire.carrier.receive(joined([preamble('syn', nonceOf(1)), preamble('syn', nonceOf(1))]))
    settle([wire])
    expect([server.seen, streams]).toEqual([['taken'], []])
    server.end.open({ kind: 'session', header: {} })
    settle([wire])
    wire.carrier.receive(preamble('syn', nonceOf(1))) // now the link cannot be its own
    settle([wire])
    expect([server.seen, streams, lab.seen]).toEqual([['taken'], [], ['taken']])
  })

  test('that is silent for long ends; one whose container answers pings does not', () => {
    const lab = new Lab()
    const { server, wire } = taken(lab)
    let now = 0
    for (; now < 10 * SILENT_AFTER_MS; now += PING_EVERY_MS) {
      server.end.tick(now)
      settle([wire])
    }
    expect(server.seen).toEqual(['taken'])
    for (const end = now + SILENT_AFTER_MS; now <= end; now += PING_EVERY_MS) server.end.tick(now)
    expect(server.seen).toEqual(['taken', 'silent'])
  })

  test("skips an older tenure's leftovers in the carrier, including answers to others", () => {
    const lab = new Lab()
    const server = lab.server()
    const wire = new Wire(lab, server)
    const stale = joined([bytesFrom(5, 459_000), preamble('ack', nonceOf(77), nonceOf(77)), magic, bytesFrom(6, 1000)])
    server.end.receive(stale)
    settle([wire])
    expect(server.seen).toEqual(['taken'])
  })

  test('gives up on a carrier that holds nothing but noise', () => {
    const { end, seen } = new Lab().server()
    const noise = bytesFrom(7, 64 * 1024)
    for (let sent = 0; sent <= MAX_SKIPPED_BYTES; sent += noise.length) end.receive(noise)
    expect(seen).toEqual(['broken'])
  })
})

describe('of two servers', () => {
  test('the last one has the link, and the former sees that it is fenced, on carriers of their own', () => {
    const lab = new Lab()
    const first = taken(lab)
    const second = taken(lab)
    settle([first.wire, second.wire])
    expect([first.server.seen, second.server.seen]).toEqual([['taken', 'fenced'], ['taken']])
    expect([first.wire.isDropped, second.wire.isDropped]).toEqual([true, false])
  })

  test('the stopped one cannot come back over another carrier, though it does not know yet', () => {
    const lab = new Lab()
    const first = taken(lab)
    const second = taken(lab)
    const late = taken(lab, { before: first.server.end.held })
    settle([second.wire, late.wire])
    expect([late.server.seen, second.server.seen]).toEqual([['fenced'], ['taken']])
  })

  test('a server that nobody has replaced comes back over another carrier', () => {
    const lab = new Lab()
    const first = taken(lab)
    first.wire.cut()
    const again = taken(lab, { before: first.server.end.held })
    expect([again.server.seen, lab.seen]).toEqual([['taken'], ['taken', 'lost', 'taken']])
  })

  test('a server that missed the last answer before its carrier broke is not mistaken for another one', () => {
    const lab = new Lab()
    const { server, wire } = taken(lab)
    wire.carrier.receive(preamble('syn', nonceOf(30), server.end.held!)) // after a break; the answer is lost
    wire.cut()
    const again = taken(lab, { before: server.end.held })
    expect(again.server.seen).toEqual(['taken'])
    const late = taken(lab, { before: nonceOf(30) })
    expect(late.server.seen).toEqual(['taken'])
    taken(lab)
    expect(taken(lab, { before: late.server.end.held }).server.seen).toEqual(['fenced'])
  })

  test('an old preamble that a carrier still held takes nothing', () => {
    const lab = new Lab()
    const first = taken(lab)
    const second = taken(lab)
    const old = new Wire(lab, lab.server())
    old.carrier.receive(preamble('syn', nonceOf(1)))
    settle([first.wire, second.wire])
    expect(second.server.seen).toEqual(['taken'])
  })

  test('on one carrier that both write to, whatever the order, the last one wins and the other one is fenced', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 60 }), (seed, most) => {
        const chance = chanceOf(seed)
        const lab = new Lab()
        const servers = [lab.server(), lab.server()]
        const carrier = lab.container.attach({ wake: () => {}, drop: () => {} })
        const buffer = new Uint8Array(40_000)
        let queue = new Uint8Array()
        for (let round = 0, now = 0; round < 3000 && (round < 60 || queue.length > 0); round++, now += 100) {
          for (const { end } of chance() < 0.5 ? servers : servers.toReversed()) {
            if (now > 0) end.tick(now)
            if (chance() < 0.3) queue = joined([queue, buffer.slice(0, end.take(buffer))])
          }
          carrier.receive(queue.slice(0, 1 + chance() * most))
          queue = queue.slice(1 + most) // and some of it is lost
          const said = buffer.slice(0, carrier.take(buffer))
          for (const { end } of servers) end.receive(said)
        }
        const states = servers.map(({ end }) => end.tenure !== null)
        expect(states.filter((has) => has).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 30 },
    )
  })
})

describe('a carrier', () => {
  test('may be cut into pieces of any size', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 70 }), (seed, most) => {
        const chance = chanceOf(seed)
        const lab = new Lab()
        const server = lab.server()
        settle([new Wire(lab, server)], () => 1 + chance() * most)
        expect(server.seen).toEqual(['taken'])
      }),
    )
  })

  test('that ends half-way through a frame is followed by another server on the same one', () => {
    const lab = new Lab()
    const first = taken(lab)
    const stream = first.server.end.open({ kind: 'file', header: {} })
    stream!.write(bytesFrom(3, 20_000))
    const buffer = new Uint8Array(40_000)
    first.wire.carrier.receive(buffer.slice(0, first.server.end.take(buffer) - 5000)) // and then it dies
    first.wire.carrier.receive(preamble('syn', nonceOf(50)))
    expect(lab.seen).toEqual(['taken', 'taken'])
  })

  test('that breaks frames again and again is given up; now and then it is not', () => {
    const lab = new Lab()
    const { server, wire } = taken(lab)
    const flip = () => {
      lab.container.open({ kind: 'http', header: {} })
      wire.spoil = (way, bytes) => (way === 'toServer' ? bytes.map((byte, at) => (at === 15 ? byte ^ 1 : byte)) : bytes)
      wire.move()
      wire.spoil = (_, bytes) => bytes
      settle([wire])
    }
    for (let now = 0; now < 40; now++) {
      server.end.tick(now * 10_000)
      settle([wire])
      flip()
    }
    expect(new Set(server.seen)).toEqual(new Set(['taken']))
    for (let breaks = 0; breaks <= MAX_BREAKS; breaks++) flip()
    expect(server.seen.at(-1)).toBe('broken')
  })
})
