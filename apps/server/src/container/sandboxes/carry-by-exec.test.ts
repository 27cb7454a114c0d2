import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Carrier } from '../../link/carried-link.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import type { LinkWay } from '../containers.ts'
import { carryByExec } from './carry-by-exec.ts'

/** A link whose carriers come and go when the test says so. */
class PlayedLink {
  isClosed = false
  isCarried = false
  wasTaken = false
  #change = Promise.withResolvers<void>()

  carry(): void {
    this.begins(false)
  }

  begins(isTaken: boolean): void {
    this.isCarried = true
    this.wasTaken = isTaken
    this.#tell()
  }

  ends(): void {
    this.isCarried = false
    this.#tell()
  }

  async until(holds: () => boolean, signal: AbortSignal): Promise<boolean> {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    while (!holds() && !signal.aborted) await Promise.race([this.#change.promise, aborted])
    return holds()
  }

  #tell(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}

let over = new AbortController()
afterEach(() => over.abort())

/** @param way the engine's answer; null: none */
function carried(way: LinkWay | null, starts = true) {
  over = new AbortController()
  const clock = new HandClock()
  const link = new PlayedLink()
  const seen = { tries: 0 }
  const engine = { way, starts }
  const carrier = async (): Promise<Carrier> => {
    seen.tries += 1
    if (!engine.starts) throw new Error('the container does not run yet')
    return { input: new PassThrough(), output: new PassThrough() }
  }
  const linkBy = async (): Promise<LinkWay> => {
    if (engine.way === null) throw new Error('the engine is away')
    return engine.way
  }
  const done = carryByExec({ link: link as unknown as SandboxLink, linkBy, carrier, over: over.signal, clock })
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await nextTurn()
  }
  /** The number of tries after `ms`. */
  const after = async (ms: number): Promise<number> => {
    await settled()
    clock.advance(ms)
    await settled()
    return seen.tries
  }
  return { link, engine, clock, after, done }
}

test('if nothing can be mounted, a process is started, and the next one when its carrier has ended', async () => {
  const { link, after } = carried('exec')
  expect(await after(0)).toBe(1)
  expect(await after(3_600_000)).toBe(1)
  link.begins(true) // a supervisor has answered
  link.ends()
  expect(await after(0)).toBe(2)
})

test('a container that is not ready is asked again, at first soon and then every five seconds', async () => {
  const { after } = carried('exec', false)
  expect(await after(0)).toBe(1)
  let tries = 1
  for (const pause of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
    expect(await after(pause - 1)).toBe(tries)
    expect(await after(1)).toBe(++tries)
  }
})

test('once a link has lasted, the next pause is short again', async () => {
  const { link, engine, after } = carried('exec', false)
  await after(0)
  for (const pause of [100, 200, 400, 800]) await after(pause)
  engine.starts = true
  expect(await after(1_600)).toBe(6)
  await after(3_200)
  link.begins(true)
  await after(5_000)
  link.ends()
  engine.starts = false
  expect(await after(0)).toBe(7)
  expect(await after(99)).toBe(7)
  expect(await after(1)).toBe(8)
})

test('a session that ends its carriers again and again costs the engine a process every five seconds', async () => {
  const { link, clock, after } = carried('exec')
  await after(0)
  let tries = 0
  for (let ms = 0; ms < 60_000; ms += 100) {
    if (link.isCarried && clock.sleepers === 0) {
      link.begins(true)
      link.ends()
    }
    tries = await after(100)
  }
  expect(tries).toBeGreaterThan(10)
  expect(tries).toBeLessThan(25)
})

test('if supervisors come by their socket, none is started as long as they do', async () => {
  const { link, after } = carried('socket')
  expect(await after(9_999)).toBe(0)
  link.begins(true)
  expect(await after(3_600_000)).toBe(0)
  link.ends()
  expect(await after(9_999)).toBe(0)
})

test('a socket that is unused for ten seconds is replaced, and looked at again when that way has ended', async () => {
  const { link, after } = carried('socket')
  expect(await after(9_999)).toBe(0)
  expect(await after(1)).toBe(1)
  expect(await after(3_600_000)).toBe(1)
  link.ends()
  expect(await after(9_999)).toBe(1)
  expect(await after(1)).toBe(2)
})

test('an engine that is away is asked until it answers', async () => {
  const { engine, after } = carried(null)
  expect(await after(60_000)).toBe(0)
  engine.way = 'exec'
  expect(await after(5_000)).toBe(1)
})

test.each(['its container has ended', 'this server lets go'])('nothing is started any more when %s', async (why) => {
  const { link, after, done } = carried('exec', false)
  await after(0)
  if (why.startsWith('its')) over.abort()
  else link.isClosed = true
  expect(await after(5_000)).toBe(1)
  await done
})
