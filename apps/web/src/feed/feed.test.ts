import { describe, expect, test } from 'vitest'
import { Feed, HIDDEN_LOGS_MS } from './feed.ts'
import { FakeClock } from './testing/fake-clock.ts'
import { FakeWire } from './testing/fake-server.ts'

function startFeed() {
  const clock = new FakeClock()
  const wires: FakeWire[] = []
  const frames: (() => void)[] = []
  const feed = new Feed({
    clock,
    random: () => 1,
    nextFrame: (run) => frames.push(run),
    history: { meta: async () => null, block: async () => '' },
    connect: (events) => {
      const wire = new FakeWire(events)
      wires.push(wire)
      return wire
    },
  })
  feed.start()
  const wire = (): FakeWire => {
    const last = wires.at(-1)
    if (!last) throw new Error('no connection was made')
    return last
  }
  const paint = () => {
    for (const run of frames.splice(0)) run()
  }
  /** Lets time pass; the server answers every ping. */
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 10_000) {
      clock.advance(Math.min(left, 10_000))
      wire().say({ type: 'pong', t: 0, now: clock.now() })
    }
  }
  return { clock, wire, frames, paint, pass, feed }
}

describe('the screens', () => {
  test('see at most one change a frame, however many arrive', () => {
    const { wire, frames, paint, feed } = startFeed()
    wire().open()
    paint()
    let changes = 0
    feed.store.subscribe(() => changes++)
    feed.holdBoard('home')
    const { ch } = wire().sub('home')
    wire().say({ type: 'snapshot', ch, epoch: 'e1', seq: 1, ops: [] })
    for (let seq = 2; seq < 200; seq++) wire().say({ type: 'delta', ch, seq, ops: [] })
    expect(frames).toHaveLength(1)
    expect(changes).toBe(0)
    paint()
    expect(changes).toBe(1)
    expect(feed.store.getState().topics['home']?.view?.seq).toBe(199)
  })

  test('are told when the server was updated while they were open', () => {
    const { clock, wire, paint, feed } = startFeed()
    wire().open()
    paint()
    expect(feed.store.getState().newBuild).toBe(false)
    wire().events.closed(1012)
    clock.advance(250)
    wire().events.opened()
    wire().say({ type: 'welcome', proto: 1, epoch: 'e2', seq: 0, build: 'b2', now: 0 })
    paint()
    expect(feed.store.getState().newBuild).toBe(true)
  })
})

describe('a hidden tab', () => {
  test('keeps its boards, drops its logs after a minute, and later resumes them where they were', async () => {
    const { wire, pass, feed } = startFeed()
    wire().open()
    feed.holdBoard('board:a')
    const log = feed.openLog('ex-0123456789.1')
    await Promise.resolve()
    await Promise.resolve()
    const { ch } = wire().sub('log:ex-0123456789.1')
    wire().chunk(ch, 0, ['one', 'two'])
    feed.visible(false)
    pass(HIDDEN_LOGS_MS - 1)
    expect(wire().sentOf('unsub')).toEqual([])
    pass(1)
    expect(wire().sentOf('unsub')).toEqual([{ type: 'unsub', ch }])
    expect(log.lines).toBe(2)
    feed.visible(true)
    expect(wire().sub('log:ex-0123456789.1').next).toBe(2)
  })

  test('that is shown again in time keeps its whole subscription', async () => {
    const { wire, pass, feed } = startFeed()
    wire().open()
    feed.openLog('ex-0123456789.1')
    await Promise.resolve()
    await Promise.resolve()
    feed.visible(false)
    pass(HIDDEN_LOGS_MS / 2)
    feed.visible(true)
    pass(HIDDEN_LOGS_MS)
    expect(wire().sentOf('unsub')).toEqual([])
  })
})
