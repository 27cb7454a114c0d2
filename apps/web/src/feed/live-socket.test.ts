import { closeCode } from '@beadloom/core/api/stream/protocol.ts'
import { describe, expect, test } from 'vitest'
import { retryDelay } from './live-socket.ts'
import type { Channel, ChannelFrame } from './live-socket.ts'
import { HEARTBEAT_MS, PROBE_LIMIT_MS, SILENCE_LIMIT_MS } from './live-socket.ts'
import { startWorld } from './testing/fake-server.ts'

function channel(topic: string, cursor: () => { next: number; epoch?: string } = () => ({ next: 0 })) {
  const frames: ChannelFrame[] = []
  const it: Channel = { topic, cursor, frame: (frame) => frames.push(frame), chunk: () => undefined }
  return { it, frames }
}
const snapshot = (ch: number, seq = 1) => ({ type: 'snapshot' as const, ch, epoch: 'e1', seq, ops: [] })

describe('the socket', () => {
  test('says hello first, then its topics, from where the data ends', () => {
    const { wire, socket } = startWorld()
    socket.follow(channel('home', () => ({ next: 7, epoch: 'e1' })).it)
    wire().open()
    expect(wire().sent).toMatchObject([
      { type: 'hello', proto: 1 },
      { type: 'sub', topic: 'home', next: 7, epoch: 'e1' },
    ])
    expect(socket.link).toEqual({ is: 'live' })
    expect(socket.skew).toBe(500)
  })

  test('asks each channel for its position when it comes back', () => {
    let next = 0
    const { clock, wire, socket } = startWorld()
    socket.follow(channel('log:x', () => ({ next })).it)
    wire().open()
    next = 4711
    wire().events.closed(1006)
    clock.advance(250)
    wire().open()
    expect(wire().sub('log:x').next).toBe(4711)
  })

  test('pings every 15 s, as a message that the page can see', () => {
    const { clock, wire } = startWorld()
    wire().open()
    clock.advance(HEARTBEAT_MS)
    expect(wire().sentOf('ping')).toHaveLength(1)
  })

  test('counts 35 s without a frame as a dead connection, whatever the browser says', () => {
    const { clock, wires, wire, socket } = startWorld()
    wire().open()
    clock.advance(SILENCE_LIMIT_MS - 1)
    expect(socket.link.is).toBe('live')
    clock.advance(1)
    expect(socket.link).toMatchObject({ is: 'lost', attempt: 1 })
    expect(wires[0]?.closed).toBe(true)
    clock.advance(250)
    expect(wires).toHaveLength(2)
  })

  test('stays while pongs arrive', () => {
    const { clock, wires, wire } = startWorld()
    wire().open()
    for (let beat = 0; beat < 20; beat++) {
      clock.advance(HEARTBEAT_MS)
      wire().say({ type: 'pong', t: 0, now: clock.now() })
    }
    expect(wires).toHaveLength(1)
  })

  test('gives up a connection that neither opens nor fails', () => {
    const { clock, wires } = startWorld()
    clock.advance(SILENCE_LIMIT_MS + 250)
    expect(wires).toHaveLength(2)
  })

  test('never gives up: half a day of refusals later it still tries, at most 10 s apart', () => {
    const { clock, wires, wire, socket } = startWorld()
    for (let attempt = 0; attempt < 5000; attempt++) {
      wire().events.closed(1006)
      clock.advance(10_000)
    }
    expect(wires).toHaveLength(5001)
    wire().open()
    expect(socket.link.is).toBe('live')
  })

  test('waits a random part of a window that doubles up to 10 s', () => {
    expect([0, 1, 2, 5, 6, 60].map((attempt) => retryDelay(attempt, 1))).toEqual([250, 500, 1000, 8000, 10_000, 10_000])
    expect(retryDelay(6, 0)).toBe(0)
  })

  test('forgets its failures once it was welcome', () => {
    const { clock, wires, wire } = startWorld()
    for (let attempt = 0; attempt < 6; attempt++) {
      wire().events.closed(1006)
      clock.advance(10_000)
    }
    wire().open()
    wire().events.closed(1006)
    clock.advance(250)
    expect(wires).toHaveLength(8)
  })

  test.each([
    [closeCode.auth, 'signed-out'],
    [closeCode.protocol, 'outdated'],
  ])('does not come back after %i', (code, link) => {
    const { clock, wires, wire, socket } = startWorld()
    wire().open()
    wire().events.closed(code)
    clock.advance(3_600_000)
    socket.wake()
    expect(socket.link.is).toBe(link)
    expect(wires).toHaveLength(1)
  })

  test('comes back after a restart and after having been slow', () => {
    for (const code of [closeCode.restart, closeCode.slow]) {
      const { clock, wires, wire } = startWorld()
      wire().open()
      wire().events.closed(code)
      clock.advance(250)
      expect(wires).toHaveLength(2)
    }
  })
})

describe('after a sleep', () => {
  test('the socket must prove within 3 s that it lives', () => {
    const { clock, wires, wire, socket } = startWorld()
    wire().open()
    socket.wake()
    expect(wire().sentOf('ping')).toHaveLength(1)
    clock.advance(PROBE_LIMIT_MS)
    expect(socket.link.is).toBe('lost')
    clock.advance(250)
    expect(wires).toHaveLength(2)
  })

  test('any frame is proof enough', () => {
    const { clock, wires, wire, socket } = startWorld()
    wire().open()
    socket.wake()
    wire().say({ type: 'pong', t: 0, now: 0 })
    clock.advance(PROBE_LIMIT_MS + 1)
    expect(wires).toHaveLength(1)
  })

  test('a waiting retry happens at once', () => {
    const { clock, wires, wire, socket } = startWorld()
    for (let attempt = 0; attempt < 8; attempt++) {
      wire().events.closed(1006)
      clock.advance(10_000)
    }
    wire().events.closed(1006)
    const before = wires.length
    socket.wake()
    expect(wires).toHaveLength(before + 1)
  })

  test('an attempt that has just begun is left alone', () => {
    const { wires, socket } = startWorld()
    socket.wake()
    expect(wires).toHaveLength(1)
  })
})

describe('late frames', () => {
  test('of a connection that was given up do not bring it back', () => {
    const { clock, wire, socket } = startWorld()
    const home = channel('home')
    socket.follow(home.it)
    wire().open()
    clock.advance(SILENCE_LIMIT_MS)
    wire().say(snapshot(wire().sub('home').ch))
    wire().open()
    expect(socket.link.is).toBe('lost')
    expect(home.frames).toEqual([])
  })

  test('of a former connection reach nobody', () => {
    const { clock, wires, wire, socket } = startWorld()
    const home = channel('home')
    socket.follow(home.it)
    wire().open()
    const { ch } = wire().sub('home')
    wire().events.closed(1006)
    clock.advance(250)
    wire().open()
    wires[0]?.say(snapshot(ch))
    expect(home.frames).toEqual([])
  })

  test('of a former subscription reach nobody, because numbers are never used again', () => {
    const { wire, socket } = startWorld()
    const home = channel('home')
    const handle = socket.follow(home.it)
    wire().open()
    const old = wire().sub('home').ch
    handle.resubscribe()
    const fresh = wire().sub('home').ch
    expect(fresh).not.toBe(old)
    wire().say(snapshot(old))
    wire().say(snapshot(fresh))
    expect(home.frames).toHaveLength(1)
  })

  test('for a dead socket are not sent again: only its open channels are', () => {
    const { clock, wire, socket } = startWorld()
    wire().open()
    wire().events.closed(1006)
    socket.follow(channel('board:a').it).close()
    socket.follow(channel('board:b').it)
    clock.advance(250)
    wire().open()
    expect(
      wire()
        .sentOf('sub')
        .map(({ topic }) => topic),
    ).toEqual(['board:b'])
    expect(wire().sentOf('unsub')).toEqual([])
  })
})
