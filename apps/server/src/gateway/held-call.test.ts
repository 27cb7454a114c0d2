import { describe, expect, test } from 'vitest'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import { completion, delta, json, openStream, readerOf, sse, startWorld } from './testing/gateway-world.ts'

const good = completion('hi', { prompt_tokens: 1, completion_tokens: 1 })
const limit: UsedUp = { scope: 'bead', limit: 100 }

/** A limit that is reached, and a person who answers when the test says so. */
function asked() {
  let reached = true
  const answered = Promise.withResolvers<UsedUp | null>()
  const held = { now: 0, most: 0, aborted: 0 }
  return {
    held,
    grant: () => {
      reached = false
      answered.resolve(null)
    },
    refuse: () => answered.resolve({ ...limit, askedMs: 60_000 }),
    who: {
      isHeld: () => reached,
      whileHeld: async (signal: AbortSignal) => {
        held.most = Math.max(held.most, ++held.now)
        const gone = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)))
        const answer = await Promise.race([answered.promise, gone])
        held.now--
        if (signal.aborted) held.aborted++
        return answer
      },
    },
  }
}

describe('a call that waits for a person', () => {
  test('is held with signs of life before its model is called, and then answered as usual', async () => {
    const { who, grant } = asked()
    const world = await startWorld((response) => json(response, good), { who })
    const response = await world.ask()
    expect([response.status, world.received]).toEqual([200, []])
    grant()
    expect(await response.json()).toEqual(good)
    expect([world.received.length, world.usages.length, world.problems]).toEqual([1, 1, []])
  })

  test('goes to the model that a person has chosen meanwhile, as a whole and once', async () => {
    const { who, grant } = asked()
    let model = 'slow'
    const changing = Object.defineProperty({ ...who }, 'model', { get: () => model, enumerable: true })
    const world = await startWorld((response) => json(response, good), { who: changing })
    const response = await world.ask({ stream: false, messages: [{ role: 'user', content: 'the "model": "slow"' }] })
    model = 'quick'
    grant()
    expect(await response.json()).toEqual(good)
    expect(world.received[0]!.body).toMatchObject({ model: 'quick', messages: [{ content: 'the "model": "slow"' }] })
    expect([world.received.length, world.usages.map((one) => one.model)]).toEqual([1, ['quick']])
  })

  test('gets a comment if it was promised a stream', async () => {
    const { who, grant } = asked()
    const world = await startWorld((response) => void openStream(response).end(delta('Hello') + sse('[DONE]')), { who })
    const reader = readerOf(await world.ask({ stream: true }))
    expect(await reader.next()).toMatch(/^(?:: waiting for a person\n\n)+$/)
    grant()
    let rest = ''
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) rest += piece
    expect(rest.replaceAll(': waiting for a person\n\n', '')).toBe(delta('Hello') + sse('[DONE]'))
  })

  test.each([true, false])('is refused in its body if nobody has answered, streaming: %s', async (stream) => {
    const { who, refuse } = asked()
    const world = await startWorld((response) => json(response, good), { who })
    const response = await world.ask({ stream })
    refuse()
    const text = await response.text()
    expect([response.status, text]).toEqual([200, expect.stringContaining('"code":"budget_exhausted"')])
    expect(world.refusals).toEqual([{ ...limit, askedMs: 60_000 }])
    expect(world.received).toEqual([])
  })

  test('is forgotten when its caller hangs up, and nothing is spent', async () => {
    const { who, held } = asked()
    const world = await startWorld((response) => json(response, good), { who })
    const stop = new AbortController()
    const response = await world.ask({ stream: true }, { signal: stop.signal })
    const reading = response.text().catch(() => 'gone')
    stop.abort()
    expect(await reading).toBe('gone')
    await expect.poll(() => held).toEqual({ now: 0, most: 1, aborted: 1 })
    expect([world.received, world.usages, world.problems]).toEqual([[], [], []])
  })

  test('is one of a limited number: a container cannot have thousands held', async () => {
    const { who, held, grant } = asked()
    const world = await startWorld((response) => json(response, good), {
      who,
      options: { bounds: { waitingCalls: 2 } },
    })
    const first = [world.ask(), world.ask()]
    await expect.poll(() => held.now).toBe(2)
    const third = await world.ask()
    expect([third.status, await third.json()]).toMatchObject([429, { error: { code: 'too_many_waiting' } }])
    grant()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    expect(held.most).toBe(2)
  })

  test('is checked against its limit again after it has waited for its model', async () => {
    let reached = false
    const world = await startWorld(
      (response, _, call) => {
        if (call > 1) return json(response, good)
        reached = true // another call has spent the rest meanwhile
        json(response, { error: { message: 'slow down' } }, 429, { 'retry-after': '60' })
      },
      { who: { usedUp: () => (reached ? limit : null) } },
    )
    expect(await (await world.ask()).text()).toContain('budget_exhausted')
    expect([world.received.length, world.refusals]).toEqual([1, [limit]])
  })
})
