// @suite unit-long
import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import type { OpenStore } from '../../apps/server/src/store/open-store.ts'
import { queued, running, world } from '../../apps/server/src/store/testing.ts'
import { webhookCheck } from '../../apps/server/src/webhooks/webhook-check.ts'
import type { WebhookBounds } from '../../apps/server/src/webhooks/webhooks.ts'
import {
  blocked,
  completed,
  end,
  endOfPlan,
  failed,
  hookOf,
  nothingLeft,
  place,
  receiver,
  start,
  until,
} from '../support/webhooks.ts'

/* Webhooks against a real receiver that fails in every way, and a real database. */

test('beads that need a person, failed or were merged are reported in order, and nothing from before the webhook', async () => {
  const store = place().open()
  const { url, got } = await receiver()
  world(store, ['a', 'b', 'c', 'd', 'e'])
  end(store, 'd', failed)
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  end(store, 'a', blocked)
  end(store, 'b', failed)
  end(store, 'c', completed)
  store.endExecution(queued(store, 'e'), { state: 'CANCELLED', detail: '' })
  await until(() => expect(got).toHaveLength(3))
  expect(got.map(({ event, bead, text }) => [event, bead, text])).toEqual([
    ['needs_you', 'a', 'MIT or GPL?'],
    ['failed', 'b', 'No step forward'],
    ['merged', 'c', ''],
  ])
  await nothingLeft(store)
})

test('the end of a plan names the subtasks that ask or were not done, however long it is', async () => {
  const store = place().open()
  const { url, got } = await receiver()
  world(store, ['a', 'b'])
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  const asks = 'Subtask 2a "Users" (2 of 4): The agent stopped: MIT or GPL?'
  const left = 'Not done: subtask 2a "Users" (2 of 4), subtask 2b "Posts" (3 of 4).'
  endOfPlan(store, 'a', { ...blocked, detail: asks })
  endOfPlan(store, 'b', { ...failed, detail: `Subtask 2a "Users" (2 of 4): ${'x'.repeat(2_000)} ${left}` })
  await until(() => expect(got).toHaveLength(2))
  expect(got[0]?.text).toBe(asks)
  expect(got[1]?.text).toMatch(/^Subtask 2a "Users" \(2 of 4\): x+…/)
  expect(got[1]?.text).toContain(left)
  expect(got[1]?.text).toHaveLength(500)
})

test('an execution that waits at a limit is reported once, and a webhook gets only its events and projects', async () => {
  const store = place().open()
  const { url, got } = await receiver()
  world(store, ['a', 'b'])
  const hooks = [hookOf(url, { events: ['budget'] }), hookOf(url, { name: 'other', projects: ['elsewhere'] })]
  start(store, hooks)
  await until(() => expect(store.webhooks()).toHaveLength(2))
  end(store, 'b', failed)
  const id = running(store, 'a')
  const wait = { scope: 'bead', holder: 'a', unit: 'tokens', limit: 5, used: 5, since: 7, until: 9, currency: 'USD' }
  store.noteBudgetWait(id, wait as unknown as Parameters<OpenStore['noteBudgetWait']>[1])
  await until(() => expect(got.map(({ event, bead }) => [event, bead])).toEqual([['budget', 'a']]))
  // The receiver has it before its answer takes the notice out of the queue.
  await until(() => expect(store.webhooks().map(({ waiting }) => waiting)).toEqual([0, 0]))
})

const troubles: [string, RequestListener, RegExp, Partial<WebhookBounds>][] = [
  ['answers 500', (_, response) => response.writeHead(500).end(), /answered 500/, {}],
  ['hangs', () => {}, /did not answer within/, { timeoutMs: 20 }],
  ['resets', (request) => request.socket.resetAndDestroy(), /cannot be reached/, {}],
  [
    'redirects',
    (_, response) => response.writeHead(307, { location: '/inside' }).end(),
    /answered 307, a redirect, which is not followed/,
    {},
  ],
]
test.each(troubles)('a receiver that %s gets the same notice again until it is well', async (_, bad, says, bounds) => {
  const store = place().open()
  const { url, got, paths, answers } = await receiver()
  world(store, ['a', 'b'])
  answers(bad)
  start(store, [hookOf(url)], bounds)
  await until(() => expect(store.webhooks()).toHaveLength(1))
  end(store, 'a', blocked)
  end(store, 'b', failed)
  await until(() => expect(store.webhooks()[0]?.tries).toBeGreaterThan(2))
  const [state] = store.webhooks()
  expect(state).toMatchObject({ waiting: 2, problem: expect.stringMatching(says) })
  const check = webhookCheck(store.webhooks())
  expect(check?.ok).toBe(false)
  expect(JSON.stringify(check)).not.toContain('secret-path')
  answers((_request, response) => response.end('ok'))
  await nothingLeft(store)
  expect(new Set(got.map(({ id }) => id)).size).toBe(2)
  expect(got.at(-1)?.bead).toBe('b')
  expect(got.filter(({ bead }) => bead === 'a').length).toBeGreaterThan(2)
  expect(new Set(paths)).toEqual(new Set(['/hook-secret-path']))
  expect(webhookCheck(store.webhooks())).toMatchObject({ ok: true, text: 'ops' })
})

test('an answer that never ends is not read', async () => {
  const store = place().open()
  const { url, got, answers } = await receiver()
  world(store, ['a', 'b'])
  answers((_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  end(store, 'a', blocked)
  end(store, 'b', failed)
  await until(() => expect(got.map(({ bead }) => bead)).toEqual(['a', 'b']))
  await nothingLeft(store)
  expect(got).toHaveLength(2)
})

test('a server that stops in between sends the rest after its next start, with the same id', async () => {
  const data = place()
  const first = data.open()
  const { url, got, answers } = await receiver()
  world(first, ['a'])
  answers((_, response) => response.writeHead(503).end())
  const before = start(first, [hookOf(url)])
  await until(() => expect(first.webhooks()).toHaveLength(1))
  end(first, 'a', blocked)
  await until(() => expect(got.length).toBeGreaterThan(0))
  await before.stop()
  answers((_, response) => response.end())
  const second = data.open()
  expect(second.webhooks()).toMatchObject([{ waiting: 1 }])
  start(second, [hookOf(url)])
  await nothingLeft(second)
  expect(new Set(got.map(({ id }) => id)).size).toBe(1)
})

test('notices that are too old are given up, which is said, and one hanging webhook does not hold up another', async () => {
  const store = place().open()
  const [bad, good] = [await receiver(), await receiver()]
  world(store, ['a', 'b'])
  bad.answers(() => {})
  start(store, [hookOf(bad.url, { name: 'bad' }), hookOf(good.url, { name: 'good' })], {
    timeoutMs: 20,
    giveUpMs: -1000,
  })
  await until(() => expect(store.webhooks()).toHaveLength(2))
  end(store, 'a', blocked)
  await until(() => expect(good.got).toHaveLength(1))
  await until(() => expect(store.webhooks()[0]).toMatchObject({ name: 'bad', waiting: 0, givenUp: 1 }))
  expect(webhookCheck(store.webhooks())?.text).toMatch(/^bad: .*Gave up on 1, last at /)
})

test('a queue keeps the newest 500, and one webhook that is no longer configured leaves nothing', async () => {
  const store = place().open()
  world(store, ['a'])
  store.keepWebhooks(['ops'])
  for (let n = 0; n < 520; n++) {
    end(store, 'a', failed)
    if (n % 50 === 49) store.queueForWebhook('ops', () => true)
  }
  for (let n = 0; n < 3; n++) store.queueForWebhook('ops', () => true)
  expect(store.webhooks()).toMatchObject([{ waiting: 500, givenUp: 20 }])
  store.keepWebhooks([])
  expect(store.webhooks()).toEqual([])
})

test('a test says for each webhook whether it arrived, and stores nothing', async () => {
  const store = place().open()
  const { url, got, answers } = await receiver()
  const { webhooks } = start(store, [hookOf(url), hookOf('http://127.0.0.1:2/secret', { name: 'nobody' })])
  expect(await webhooks.test()).toEqual([
    { name: 'ops', ok: true, text: 'it arrived' },
    { name: 'nobody', ok: false, text: expect.stringMatching(/^it cannot be reached/) },
  ])
  answers((_, response) => response.writeHead(404).end())
  expect((await webhooks.test())[0]).toEqual({ name: 'ops', ok: false, text: 'it answered 404' })
  expect(got.map(({ event }) => event)).toEqual(['test', 'test'])
  expect(store.webhooks().every(({ waiting }) => waiting === 0)).toBe(true)
})
