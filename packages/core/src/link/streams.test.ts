import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIRST_WINDOW_BYTES, GROWN_WINDOWS_BYTES, MAX_STREAMS, MAX_WINDOW_BYTES } from './link-bounds.ts'
import type { LinkStream } from './link-stream.ts'
import { bytesFrom, chanceOf, printOf } from './testing/chance.ts'
import { Lab, settle, taken, type Server, type Wire } from './testing/lab.ts'
import { Reading } from './testing/reading.ts'

const http = { kind: 'http', header: { path: '/v1/ä' } }

/** A container with a server, and the streams that the server gets. */
function start() {
  const atServer: LinkStream[] = []
  const kinds: unknown[] = []
  const lab = new Lab()
  const { server, wire } = taken(lab, {
    events: {
      stream: (opening, stream) => {
        kinds.push(opening)
        atServer.push(stream)
      },
    },
  })
  return { lab, server, wire, atServer, kinds }
}

/** One stream and its other end. */
function pair(): { ours: LinkStream; theirs: LinkStream; wire: Wire; server: Server; lab: Lab } {
  const { lab, server, wire, atServer } = start()
  const ours = lab.container.open(http)!
  settle([wire])
  return { ours, theirs: atServer[0]!, wire, server, lab }
}

describe('a stream', () => {
  test('arrives with its kind and header', () => {
    const { lab, wire, kinds } = start()
    lab.container.open(http)
    settle([wire])
    expect(kinds).toEqual([http])
  })

  test('brings all bytes in order and ends each way on its own, whatever the carrier cuts and however much is written', () => {
    const size = fc.integer({ min: 0, max: 200_000 })
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.tuple(size, size), { minLength: 1, maxLength: 6 }), (seed, sizes) => {
        const chance = chanceOf(seed)
        const { lab, server, wire, atServer } = start()
        const streams = sizes.map(([up, down], at) => {
          const ours = lab.container.open(http)!
          settle([wire])
          return { ours, theirs: atServer[at]!, up: bytesFrom(at, up), down: bytesFrom(100 + at, down) }
        })
        const readings = streams.map(({ ours, theirs }) => [new Reading(ours), new Reading(theirs)] as const)
        for (const { ours, theirs, up, down } of streams) {
          for (let sent = 0; sent < up.length; sent += 7000) ours.write(up.slice(sent, sent + 7000))
          for (let sent = 0; sent < down.length; sent += 50_000) theirs.write(down.slice(sent, sent + 50_000))
          ours.end()
          theirs.end()
        }
        settle([wire], () => chance() ** 3 * 100_000)
        expect(server.seen).toEqual(['taken']) // more than a window, or a frame out of order, would have ended it
        for (const [at, [ours, theirs]] of readings.entries()) {
          expect(printOf(ours.bytes)).toBe(printOf(streams[at]!.down))
          expect(printOf(theirs.bytes)).toBe(printOf(streams[at]!.up))
          expect([ours.closed, theirs.closed]).toEqual([null, null])
        }
      }),
      { numRuns: 12 },
    )
  })

  test('that nobody reads takes a first window of bytes, and continues when it is read', () => {
    const { ours, theirs, wire } = pair()
    const all = bytesFrom(9, 5 * MAX_WINDOW_BYTES)
    ours.write(all)
    ours.end()
    settle([wire])
    let unread = 0
    for (let bytes = theirs.read(); bytes; bytes = theirs.read()) unread += bytes.length
    expect(unread).toBe(FIRST_WINDOW_BYTES)
    const rest = new Reading(theirs)
    settle([wire])
    expect(printOf(rest.bytes)).toBe(printOf(all.slice(unread)))
  })

  test('never has more unread than the largest window, and all together never more than their total', () => {
    const { lab, wire, atServer } = start()
    const streams = Array.from({ length: MAX_STREAMS }, () => lab.container.open(http)!)
    for (const stream of streams) stream.write(new Uint8Array(6 * MAX_WINDOW_BYTES))
    // Each is read for a while, so that its window grows, and then no longer.
    for (let round = 0; round < 400; round++) {
      wire.move()
      for (const stream of atServer) stream.read()
    }
    settle([wire])
    const unread = atServer.map((stream) => {
      let bytes = 0
      for (let piece = stream.read(); piece; piece = stream.read()) bytes += piece.length
      return bytes
    })
    expect(Math.max(...unread)).toBeGreaterThan(FIRST_WINDOW_BYTES)
    expect(Math.max(...unread)).toBeLessThanOrEqual(MAX_WINDOW_BYTES)
    expect(unread.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(
      MAX_STREAMS * FIRST_WINDOW_BYTES + GROWN_WINDOWS_BYTES,
    )
  })

  test('tells its writer when there is room again', () => {
    const { ours, theirs, wire } = pair()
    let told = 0
    ours.events = { readable: () => {}, writable: () => told++, closed: () => {} }
    ours.write(new Uint8Array(FIRST_WINDOW_BYTES + 100_000))
    settle([wire])
    expect([ours.room, told]).toEqual([0, 0])
    new Reading(theirs)
    settle([wire])
    expect([ours.room > 0, told]).toEqual([true, 1])
  })

  test('that is reset after its end brings what was written before, and takes nothing more', () => {
    const { ours, theirs, wire } = pair()
    const reading = new Reading(ours)
    const answer = bytesFrom(4, 300_000)
    theirs.write(answer)
    theirs.end()
    theirs.reset('reset')
    ours.write(new Uint8Array(10_000))
    settle([wire])
    expect(printOf(reading.bytes)).toBe(printOf(answer))
    expect([reading.hasEnded, reading.closed]).toEqual([true, 'reset'])
    ours.write(new Uint8Array(10_000))
    settle([wire])
    expect(theirs.read()).toBeNull()
  })

  test('that is reset after its end gives all of it to a reader that comes late, and closes then', () => {
    const { ours, theirs, wire } = pair()
    const answer = bytesFrom(5, 40_000)
    theirs.write(answer)
    theirs.end()
    theirs.reset('reset')
    const closed: unknown[] = []
    ours.events = { readable: () => {}, writable: () => {}, closed: (why) => closed.push(why) }
    settle([wire])
    expect(closed).toEqual([])
    const reading = new Reading(ours)
    settle([wire])
    expect(printOf(reading.bytes)).toBe(printOf(answer))
    expect(reading.closed).toBe('reset')
  })

  test('that is reset before its end is cut off at the other side, with the reason', () => {
    const { ours, theirs, wire } = pair()
    const reading = new Reading(theirs)
    ours.write(new Uint8Array(1000))
    ours.reset('refused')
    settle([wire])
    expect([reading.closed, reading.hasEnded]).toEqual(['refused', false])
  })

  test('ends with its link, on both sides', () => {
    const { ours, theirs, wire } = pair()
    const readings = [new Reading(ours), new Reading(theirs)]
    wire.cut()
    expect(readings.map(({ closed }) => closed)).toEqual(['lost', 'lost'])
    ours.write(new Uint8Array(3))
    expect(ours.room).toBe(0)
  })

  test('ends when another server takes the link', () => {
    const { ours, lab } = pair()
    const reading = new Reading(ours)
    taken(lab)
    expect(reading.closed).toBe('lost')
  })

  test('opened beyond the limit is refused as busy, and there is room when one has ended', () => {
    const { lab, wire, atServer } = start()
    const streams = Array.from({ length: MAX_STREAMS + 1 }, () => new Reading(lab.container.open(http)!))
    settle([wire])
    expect(streams.map(({ closed }) => closed)).toEqual([...Array(MAX_STREAMS).fill('open'), 'busy'])
    atServer[0]!.reset('reset')
    settle([wire])
    const next = new Reading(lab.container.open(http)!)
    settle([wire])
    expect(next.closed).toBe('open')
  })

  test('that is opened and reset at once is never heard of', () => {
    const { lab, wire, kinds, server } = start()
    lab.container.open(http)!.reset('reset')
    lab.container.open({ kind: 'http', header: {} })
    settle([wire])
    expect(kinds).toEqual([{ kind: 'http', header: {} }])
    expect(server.seen).toEqual(['taken'])
  })
})

describe('a small message', () => {
  test('goes before large ones: an answer is not behind a whole download', () => {
    const { lab, wire, atServer } = start()
    const [large, small] = [lab.container.open(http)!, lab.container.open(http)!]
    settle([wire])
    const [download, answer] = [new Reading(large), new Reading(small)]
    atServer[0]!.write(new Uint8Array(50 * MAX_WINDOW_BYTES))
    for (let round = 0; round < 20; round++) wire.move()
    atServer[1]!.write(new Uint8Array(100))
    for (let round = 0; round < 5; round++) wire.move()
    expect(answer.bytes.length).toBe(100)
    expect(download.bytes.length).toBeLessThan(10 * MAX_WINDOW_BYTES)
  })
})
