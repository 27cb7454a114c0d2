import { expect, test } from 'vitest'
import { systemClock } from '../../apps/server/src/process/clock.ts'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import { nineSubtasks, planOf } from '@beadloom/core/plan/plan-kit.ts'
import { bead, demo, running, seededRandom, world } from '../../apps/server/src/store/testing.ts'
import { webhookCheck } from '../../apps/server/src/webhooks/webhook-check.ts'
import { blocked, end, failed, hookOf, nothingLeft, place, receiver, start, until } from '../support/webhooks.ts'

/* Refused notices and a clock that is set back hold up no webhook. Notices of a limit, and between phases. */

test.each([400, 413, 415, 422])(
  'a notice that is refused with %i is set aside after three tries: the others go past it, and it is tried again',
  async (status) => {
    const store = place().open()
    const { url, got, answers } = await receiver()
    world(store, ['a', 'b', 'c'])
    let isWell = false
    answers((_, response) => {
      const refused = got.at(-1)?.bead === 'a' && !isWell
      response.writeHead(refused ? status : 200).end()
    })
    start(store, [hookOf(url)])
    await until(() => expect(store.webhooks()).toHaveLength(1))
    end(store, 'a', failed)
    end(store, 'b', blocked)
    await until(() => expect(got.map(({ bead }) => bead)).toContain('b'))
    expect(got.slice(0, 4).map(({ bead }) => bead)).toEqual(['a', 'a', 'a', 'b'])
    end(store, 'c', blocked)
    await until(() => expect(got.map(({ bead }) => bead)).toContain('c'))
    // A refusal is reported for as long as the notice waits, even after others have arrived.
    expect(store.webhooks()).toMatchObject([{ problem: `it answered ${status}` }])
    expect(webhookCheck(store.webhooks())?.ok).toBe(false)
    isWell = true
    await nothingLeft(store)
    expect(new Set(got.filter(({ bead }) => bead === 'a').map(({ id }) => id)).size).toBe(1)
  },
)

test('a receiver that answers 404 to everything is not asked for each notice in turn: the order is kept', async () => {
  const store = place().open()
  const { url, got, answers } = await receiver()
  world(store, ['a', 'b'])
  answers((_, response) => response.writeHead(404).end())
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  end(store, 'a', failed)
  end(store, 'b', failed)
  await until(() => expect(got.length).toBeGreaterThan(8))
  expect(new Set(got.map(({ bead }) => bead))).toEqual(new Set(['a']))
  answers((_, response) => response.end())
  await nothingLeft(store)
})

test.each([
  ['since', -1],
  ['since before the clock was set back', 24 * 3_600_000],
])('a notice that is set aside, and due %s, waits with the others for a receiver that is away', async (_, due) => {
  const store = place().open()
  const [away, well] = [await receiver(), await receiver()]
  world(store, ['a', 'b'])
  store.keepWebhooks(['away', 'well'])
  end(store, 'a', failed)
  store.queueForWebhook('away', () => true)
  const { event } = store.nextForWebhook('away')!
  const failure = { event, problem: 'it answered 400', refused: true, aside: true, giveUpBefore: 0 }
  store.webhookFailed('away', { ...failure, dueAt: Date.now() + due })
  away.answers((_request, response) => response.writeHead(500).end())
  const hooks = [hookOf(away.url, { name: 'away' }), hookOf(well.url, { name: 'well' })]
  start(store, hooks, { firstPauseMs: 60_000, longestPauseMs: 60_000 })
  await until(() => expect(store.webhooks()[0]?.tries).toBe(1))
  // The other webhook's loop has gone round meanwhile.
  end(store, 'b', blocked)
  await until(() => expect(well.got.map(({ bead }) => bead)).toContain('b'))
  expect(away.got).toHaveLength(1)
})

test.each([500, 400])(
  'a clock that is set back by a day while a notice waits after %i does not make it wait for a day',
  async (status) => {
    const store = place().open()
    const { url, got, answers } = await receiver()
    world(store, ['a'])
    let back = 0
    const clock = { ...systemClock, now: () => systemClock.now() - back }
    answers((_, response) => response.writeHead(status).end())
    const before = start(store, [hookOf(url)], { firstPauseMs: 60_000, longestPauseMs: 60_000 }, clock)
    await until(() => expect(store.webhooks()).toHaveLength(1))
    end(store, 'a', failed)
    await until(() => expect(store.webhooks()[0]?.problem).toBe(`it answered ${status}`))
    expect(got).toHaveLength(1)
    answers((_, response) => response.end())
    back = 24 * 3_600_000
    await nothingLeft(store)
    await before.stop()
    expect(got).toHaveLength(2)
  },
)

test('a password without a name, as an access token is written in an address, is sent', async () => {
  const store = place().open()
  const { url, headers } = await receiver()
  const { webhooks } = start(store, [hookOf(url.replace('http://', 'http://:tk_secret@'))])
  expect(await webhooks.test()).toMatchObject([{ ok: true }])
  expect(headers.at(-1)?.authorization).toBe(`Basic ${Buffer.from(':tk_secret').toString('base64')}`)
})

test('a notice about a limit says which limit', async () => {
  const store = place().open()
  const { url, got } = await receiver()
  world(store, ['a'])
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  const [since, until_] = [Date.now(), Date.now() + 1000]
  store.noteBudgetWait(running(store, 'a'), {
    scope: 'bead',
    holder: 'a',
    unit: 'tokens',
    limit: 100_000,
    used: 100_000,
    since,
    until: until_,
    currency: 'USD',
  } as Parameters<typeof store.noteBudgetWait>[1])
  await until(() => expect(got).toHaveLength(1))
  expect(got).toMatchObject([
    { event: 'budget', bead: 'a', text: 'Waits for budget: 100k of 100k tokens used by this bead' },
  ])
})

test('a notice about a wait between two phases says after which', async () => {
  const store = place().open()
  const { url, got } = await receiver()
  world(store, ['a'])
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  const added = store.addPlan({ project: demo, bead: bead('a'), source: 'person', plan: planOf(nineSubtasks) })
  if ('refused' in added) throw new Error(added.refused)
  const id = newExecutionId(seededRandom(11))
  const work = {
    id,
    project: demo,
    bead: bead('a'),
    kind: 'work' as const,
    branch: 'beads-a',
    context: '',
    maxAttempts: 3,
  }
  const asked = store.queueExecution({ ...work, planVersion: added.version })
  if ('refused' in asked) throw new Error(asked.refused)
  store.startExecution(id, 9_999_999)
  store.waitAfterPhase(id, 2)
  await until(() => expect(got).toHaveLength(1))
  expect(got).toMatchObject([{ event: 'needs_you', bead: 'a', text: 'Waits for you after phase 2' }])
})
