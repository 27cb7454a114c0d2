import { describe, expect, test } from 'vitest'
import type { LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import { LogFeed } from './log-feed.ts'
import type { LogHistory } from './log-feed.ts'
import { startWorld } from './testing/fake-server.ts'

const session = 'ex-0123456789.1'
const topic = `log:${session}`
const lineText = (n: number) => `line ${n}`
const styleOf = (block: number) => `3${block % 8}`
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => lineText(from + n))

/** A server with one log file, which is the only truth there is. */
function logServer(count: number, complete = false) {
  const file = { count, complete, epoch: 'e1', missing: false }
  const asked: number[] = []
  const history: LogHistory = {
    meta: async (): Promise<LogMeta | null> =>
      file.missing
        ? null
        : { epoch: file.epoch, lines: file.count, bytes: 0, complete: file.complete, blockLines: 512, sections: [] },
    block: async (_, block) => {
      asked.push(block)
      const text = lines(block * 512, Math.min(file.count, (block + 1) * 512))
        .map((line) => `${line}\n`)
        .join('')
      return { text, style: styleOf(block) }
    },
    style: async (_, block) => styleOf(block),
    marks: async () => null,
  }
  return { file, history, asked }
}

async function openLog(count: number, complete = false) {
  const world = startWorld()
  const server = logServer(count, complete)
  world.wire().open()
  const log = new LogFeed(session, world.socket, server.history, world.clock, () => undefined)
  await log.start()
  /** Serves a subscription as the real server does: everything from its cursor on. */
  const serve = (upTo = server.file.count) => {
    const { ch, next } = world.wire().sub(topic)
    if (next < upTo) world.wire().chunk(ch, next, lines(next, upTo))
    return ch
  }
  const held = (from: number) => Array.from({ length: log.lines - from }, (_, n) => log.line(from + n))
  return { ...world, ...server, log, serve, held }
}

describe('an open log', () => {
  test('begins with its tail, not with its beginning', async () => {
    const { wire, log, serve } = await openLog(100_000)
    expect(wire().sub(topic)).toMatchObject({ next: 99_328, epoch: 'e1' })
    serve()
    expect(log.line(99_999)).toBe('line 99999')
    expect(log.line(0)).toBeUndefined()
  })

  test('gets any earlier block over HTTP when it is looked at', async () => {
    const { clock, log, asked } = await openLog(100_000)
    log.want([40_000, 40_060])
    expect(asked).toEqual([])
    clock.advance(60)
    await expect.poll(() => log.line(40_000)).toBe('line 40000')
    expect(asked).toEqual([78])
  })

  test('knows which colours each block begins with: those of its tail, and fetched ones', async () => {
    const { clock, log } = await openLog(100_000)
    await expect.poll(() => log.styleOf(194)).toBe('32')
    log.want([40_000])
    clock.advance(60)
    await expect.poll(() => log.styleOf(78)).toBe('36')
    expect(log.styleOf(79)).toBeNull()
  })

  test('does not request blocks that are only passed', async () => {
    const { clock, log, asked } = await openLog(100_000)
    for (let line = 90_000; line > 0; line -= 1000) {
      log.want([line, line + 40])
      clock.advance(10)
    }
    log.want([0, 40])
    clock.advance(60)
    await expect.poll(() => log.line(0)).toBe('line 0')
    expect(asked).toEqual([0])
  })

  test('loses and repeats nothing over fifty breaks in the middle of chunks', async () => {
    const { clock, wire, file, serve, held } = await openLog(0)
    for (let round = 1; round <= 50; round++) {
      file.count += 777
      serve(file.count - 300)
      wire().events.closed(1006)
      clock.advance(10_000)
      wire().open()
      serve()
    }
    expect(held(0)).toEqual(lines(0, 50 * 777))
  })

  test('asks again when lines are missing in between, and shows none behind the gap', async () => {
    const { wire, log, serve } = await openLog(0)
    const before = wire().sub(topic).ch
    wire().chunk(before, 5, lines(5, 10))
    expect(log.lines).toBe(0)
    const again = wire().sub(topic)
    expect(again.ch).not.toBe(before)
    expect(again.next).toBe(0)
    serve(10)
    expect(log.lines).toBe(10)
  })

  test('shows the line that has no newline yet, until it has one', async () => {
    const { wire, log } = await openLog(3)
    const { ch } = wire().sub(topic)
    wire().chunk(ch, 0, lines(0, 3))
    wire().say({ type: 'partial', ch, line: 3, text: 'half' })
    expect(log.partial).toBe('half')
    wire().chunk(ch, 3, ['half a line'])
    expect(log.partial).toBeNull()
    wire().say({ type: 'partial', ch, line: 3, text: 'late' })
    expect(log.partial).toBeNull()
  })

  test('lets go of its channel in a hidden tab and continues from its cursor', async () => {
    const { wire, log, serve } = await openLog(10)
    serve()
    log.pause()
    expect(wire().sentOf('unsub')).toHaveLength(1)
    log.resume()
    expect(wire().sub(topic).next).toBe(10)
  })

  test('that does not exist yet is waited for', async () => {
    const world = startWorld()
    const server = logServer(0)
    server.file.missing = true
    world.wire().open()
    const log = new LogFeed(session, world.socket, server.history, world.clock, () => undefined)
    await log.start()
    expect(log.phase.is).toBe('open')
    world.wire().chunk(world.wire().sub(topic).ch, 0, ['first'])
    expect(log.line(0)).toBe('first')
  })

  test('starts over when the server was given another log', async () => {
    const { wire, file, log, serve, held } = await openLog(100)
    const ch = serve()
    Object.assign(file, { epoch: 'e2', count: 5 })
    wire().say({ type: 'snapshot', ch, epoch: 'e2', seq: 0, ops: [] })
    await expect.poll(() => wire().sub(topic)).toMatchObject({ next: 0, epoch: 'e2' })
    serve()
    expect(log.lines).toBe(5)
    expect(held(0)).toEqual(lines(0, 5))
  })

  test('says why there is nothing if it is gone, or cannot be read', async () => {
    const { wire, log } = await openLog(0)
    wire().say({ type: 'expired', ch: wire().sub(topic).ch, reason: 'pruned' })
    expect(log.phase).toEqual({ is: 'expired', reason: 'pruned' })
    const { socket, clock } = startWorld()
    const failing: LogHistory = { meta: () => Promise.reject(new Error('no answer')), block: async () => '' }
    const other = new LogFeed(session, socket, failing, clock, () => undefined)
    await other.start()
    expect(other.phase).toEqual({ is: 'failed', message: 'no answer' })
  })
})

describe('a log that has ended', () => {
  test('is complete when every line is here, and then leaves its channel', async () => {
    const { wire, log, serve } = await openLog(10, true)
    const ch = serve()
    wire().say({ type: 'end', ch, lines: 10, exit: 1 })
    expect(log.complete).toBe(true)
    expect(log.exit).toBe(1)
    expect(wire().sentOf('unsub')).toHaveLength(1)
  })

  test('is not complete while lines are missing: they are fetched first', async () => {
    const { wire, log, serve } = await openLog(10, true)
    const ch = serve(7)
    wire().say({ type: 'end', ch, lines: 10, exit: 0 })
    expect(log.complete).toBe(false)
    expect(wire().sub(topic).next).toBe(7)
    const again = serve(10)
    wire().say({ type: 'end', ch: again, lines: 10, exit: 0 })
    expect(log.complete).toBe(true)
    expect(log.line(9)).toBe('line 9')
  })

  test('says so when the server never sends what it promised, instead of asking for ever', async () => {
    const { wire, log, serve } = await openLog(10, true)
    wire().say({ type: 'end', ch: serve(7), lines: 10, exit: 0 })
    wire().say({ type: 'end', ch: wire().sub(topic).ch, lines: 10, exit: 0 })
    expect(log.complete).toBe(false)
    expect(log.phase).toEqual({ is: 'failed', message: 'the server sent only 7 of 10 lines' })
  })

  test('with fewer lines than are held was another log', async () => {
    const { wire, file, log, serve, held } = await openLog(10, true)
    const ch = serve()
    file.count = 4
    wire().say({ type: 'end', ch, lines: 4, exit: 0 })
    await expect.poll(() => log.lines).toBe(4)
    const again = serve()
    wire().say({ type: 'end', ch: again, lines: 4, exit: 0 })
    expect(log.complete).toBe(true)
    expect(held(0)).toEqual(lines(0, 4))
  })
})
