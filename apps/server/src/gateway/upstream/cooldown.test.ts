import { describe, expect, test } from 'vitest'
import type { Cooldown, CooldownStore } from '../../ports/store/cooldowns.ts'
import { createGateway } from '../create-gateway.ts'
import {
  completion,
  delta,
  errorOf,
  json,
  openStream,
  readerOf,
  sse,
  startWorld,
  type Upstream,
} from '../testing/gateway-world.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { TestClock } from '../testing/test-clock.ts'
import { Cooldowns, forgetful } from './cooldown.ts'

const good = completion('hi', { prompt_tokens: 1, completion_tokens: 1 })
const NOON = Date.UTC(2026, 0, 15, 12)
const busy =
  (seconds: number, status = 429): Upstream =>
  (response) =>
    json(response, { error: { message: 'slow down' } }, status, { 'retry-after': `${seconds}` })
/** An endpoint that gives these answers first, and then good ones. */
const after =
  (...first: Upstream[]): Upstream =>
  (response, received, call) =>
    (first[call - 1] ?? ((answer) => json(answer, good)))(response, received, call)
/** Waits are held until the test moves the clock. */
const byHand = { bounds: { keepAliveMs: 100_000 } }

class Kept implements CooldownStore {
  rows: Cooldown[] = []
  addCooldown = (cooldown: Cooldown) => void this.rows.push(cooldown)
  cooldowns = () => this.rows
}

describe('a model that asks to wait until later', () => {
  test('is waited for inside the call, which costs no try, then answers as usual', async () => {
    const world = await startWorld(after(...Array.from({ length: 6 }, () => busy(600))))
    const response = await world.ask()
    expect([response.status, await response.json()]).toEqual([200, good])
    expect(world.received).toHaveLength(7)
    expect(world.clock.now()).toBe(NOON + 6 * 600_000)
    expect(world.retries).toEqual(Array.from({ length: 6 }, () => 'rate_limited'))
    expect(world.problems).toEqual([])
    expect(world.cooldowns.map(({ until }) => until - NOON)).toEqual([1, 2, 3, 4, 5, 6].map((n) => n * 600_000))
    expect(world.cooldowns[0]).toMatchObject({
      model: `gpt-test at ${world.endpoint}`,
      why: expect.stringMatching(/429 \(too many requests\): slow down; it asks to wait 600 s/),
    })
  })

  test.each([503, 529])('may also say so with %i', async (status) => {
    const world = await startWorld(after(busy(60, status)))
    expect(await (await world.ask()).json()).toEqual(good)
    expect(world.clock.now()).toBe(NOON + 60_000)
  })

  test('is asked by no other session meanwhile, and by all of them afterwards', async () => {
    const world = await startWorld(after(busy(90)), { options: byHand })
    const first = world.ask()
    await expect.poll(() => world.cooldowns).toHaveLength(1)
    const second = world.ask()
    await expect.poll(() => world.clock.sleepers).toBeGreaterThan(3)
    expect(world.received).toHaveLength(1)
    expect(world.gateway.cooldown(null)).toMatchObject({ until: NOON + 90_000 })
    world.clock.advance(90_000)
    expect(await Promise.all([first, second].map(async (one) => (await one).json()))).toEqual([good, good])
    expect(world.received).toHaveLength(3)
    expect(world.gateway.cooldown(null)).toBeNull()
  })

  test('keeps no other model waiting', async () => {
    const world = await startWorld(after(busy(90)), { options: byHand })
    void world.ask().catch(() => {})
    await expect.poll(() => world.cooldowns).toHaveLength(1)
    expect([
      world.gateway.cooldown('gpt-test'),
      world.gateway.cooldown('gpt-other'),
      world.gateway.cooldown('scripted'),
    ]).toEqual([expect.objectContaining({ until: NOON + 90_000 }), null, null])
  })

  test('keeps no call waiting whose execution has another model meanwhile', async () => {
    let model = 'gpt-busy'
    const who = Object.defineProperty({}, 'model', { get: () => model, enumerable: true })
    const world = await startWorld(after(busy(7200)), { who, options: byHand })
    const asked = world.ask()
    await expect.poll(() => world.cooldowns).toHaveLength(1)
    model = 'gpt-free'
    world.clock.advance(100_000)
    expect(await (await asked).json()).toEqual(good)
    expect(world.received.map(({ body }) => (body as { model: string }).model)).toEqual(['gpt-busy', 'gpt-free'])
    expect(world.clock.now()).toBe(NOON + 100_000)
  })

  test('is named with its time wherever the model is shown', async () => {
    const world = await startWorld(after(busy(7500)), { options: byHand })
    void world.ask().catch(() => {})
    await expect.poll(() => world.cooldowns).toHaveLength(1)
    expect(await world.gateway.check(null, null)).toMatchObject({
      ok: true,
      text: `gpt-test at ${world.endpoint} asks to wait until 14:05 UTC (too many requests)`,
    })
  })

  test('is believed for six hours at most', async () => {
    const world = await startWorld(after(busy(86_400 * 30)))
    await (await world.ask()).json()
    expect(world.clock.now()).toBe(NOON + 6 * 3_600_000)
  })

  test('is given up by a call that was sent away too often', async () => {
    const world = await startWorld(busy(60), { options: { bounds: { cooldowns: 3 } } })
    const response = await world.ask()
    expect(await errorOf(response)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('after 4 calls'),
    })
    expect(world.received).toHaveLength(4)
  })

  test('is remembered by a restarted server', async () => {
    const kept = new Kept()
    const world = await startWorld(after(busy(3600)), { options: { ...byHand, cooldowns: kept } })
    void world.ask().catch(() => {})
    await expect.poll(() => kept.rows).toHaveLength(1)
    const again = createGateway({
      upstream: { baseUrl: `${world.endpoint}/v1`, apiKey: null, model: 'gpt-test' },
      scenariosFolder: '/nonexistent',
      clock: new TestClock(0),
      random: () => 0,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      cooldowns: kept,
    })
    expect(again.cooldown(null)).toMatchObject({ until: NOON + 3_600_000 })
  })
})

test('a cooldown applies even if it cannot be stored, and the log says so', async () => {
  const addCooldown = () => {
    throw new Error('no space left')
  }
  const world = await startWorld(after(busy(60)), { options: { cooldowns: { addCooldown, cooldowns: () => [] } } })
  expect(await (await world.ask()).json()).toEqual(good)
  expect(world.clock.now()).toBe(NOON + 60_000)
  expect(world.logged).toEqual([expect.stringContaining('could not be stored')])
})

describe('a caller that waits for a model that is cooling down', () => {
  test('gets comments of the stream until the answer comes', async () => {
    const world = await startWorld(
      (response, _, call) =>
        call === 1 ? busy(40)(response, _, call) : void openStream(response).end(delta('hi') + sse('[DONE]')),
      { options: { bounds: { keepAliveMs: 15_000 } } },
    )
    const response = await world.ask({ stream: true })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const text = await response.text()
    expect(text).toBe(': the model is cooling down\n\n'.repeat(3) + delta('hi') + sse('[DONE]'))
  })

  test('gets white space before its JSON', async () => {
    const world = await startWorld(after(busy(40)))
    const text = await (await world.ask()).text()
    expect(text).toBe('\n\n\n' + JSON.stringify(good))
  })

  test('does not count as silent, and its call does not run out of time', async () => {
    const waits: number[] = []
    const whileWaiting = async (wait: () => Promise<void>) => {
      const start = world.clock.now()
      await wait()
      waits.push(world.clock.now() - start)
    }
    const world = await startWorld(after(busy(3600)), { who: { whileWaiting } })
    expect(await (await world.ask()).json()).toEqual(good)
    expect(waits).toEqual([3_600_000])
  })

  test.each([
    [
      'in the stream',
      { stream: true },
      /^: the model is cooling down\n\ndata: \{.*"code":"model_unauthorized".*\}\n\n$/,
    ],
    ['in the body', {}, /^\n\{"type":"error","error":\{.*"code":"model_unauthorized"\}\}$/],
  ])('reads %s about a later failure', async (_, more, text) => {
    const world = await startWorld(after(busy(10), (response) => json(response, {}, 401)))
    expect(await (await world.ask(more)).text()).toMatch(text)
    expect(world.problems).toEqual([expect.stringContaining('OPENAI_API_KEY')])
  })

  test.each([
    ['a stream where JSON was promised', {}, (response) => void openStream(response).end(delta('hi'))],
    ['JSON where a stream was promised', { stream: true }, (response) => json(response, good)],
  ] satisfies [string, object, Upstream][])('is told of %s', async (_, more, answer) => {
    const world = await startWorld(after(busy(10), answer))
    expect(await (await world.ask(more)).text()).toContain('model_garbage')
  })

  test('may hang up, and then nothing is asked for it', async () => {
    const world = await startWorld(after(busy(90)), { options: byHand })
    const hangUp = new AbortController()
    const reader = readerOf(await world.ask({ stream: true }, { signal: hangUp.signal }))
    await reader.next()
    hangUp.abort()
    await expect.poll(() => world.clock.sleepers).toBe(0)
    world.clock.advance(90_000)
    expect(world.received).toHaveLength(1)
  })

  test('is sent away if too many calls of its session wait already', async () => {
    const world = await startWorld(after(busy(90), busy(90)), {
      options: { bounds: { keepAliveMs: 100_000, waitingCalls: 2 } },
    })
    const waiting = [world.ask(), world.ask()]
    await expect.poll(() => world.clock.sleepers).toBeGreaterThan(3)
    expect(await errorOf(await world.ask())).toMatchObject({ code: 'too_many_waiting' })
    world.clock.advance(90_000)
    for (const one of waiting) await (await one).json()
  })
})

test('a wall clock that is set back a year makes nobody wait longer, and one that is ahead wakes nobody in a loop', () => {
  const clock = new HandClock()
  const cooldowns = new Cooldowns(clock, forgetful, 6 * 3_600_000, () => {})
  cooldowns.start('m', 600_000, 'slow down')
  clock.jump(-365 * 24 * 3_600_000)
  expect([cooldowns.of('m') !== null, cooldowns.leftMs('m')]).toEqual([true, 600_000])
  clock.advance(600_000)
  expect([cooldowns.of('m'), cooldowns.leftMs('m')]).toEqual([null, 0])
  cooldowns.start('m', 600_000, 'slow down')
  clock.jump(365 * 24 * 3_600_000)
  expect([cooldowns.of('m'), cooldowns.leftMs('m')]).toEqual([null, 0])
})
