// @suite unit-long
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import { nineSubtasks, planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import { bead, demo, seededRandom, world } from '../../apps/server/src/store/testing.ts'
import { ConfigChanges } from '../../apps/server/src/app/settings/config-changes.ts'
import { webhookList } from '../../apps/server/src/api/webhooks/webhook-list.ts'
import { TlsCertificates } from '../support/tls-certificates.ts'
import {
  blocked,
  completed,
  end,
  failed,
  hookOf,
  nothingLeft,
  place,
  receiver,
  start,
  until,
} from '../support/webhooks.ts'

/* Webhooks that change while they send, on a real file; notices of plans; receivers without TLS. */

test("an answer without a trusted certificate, or without TLS, is no delivery, and the server's address is not told", async () => {
  const certificates = new TlsCertificates()
  onTestFinished(() => certificates.remove())
  const got: string[] = []
  const pem = (name: string) => readFileSync(join(certificates.server, name))
  const server = createTlsServer({ key: pem('key.pem'), cert: pem('cert.pem') }, (request, response) => {
    got.push(request.url ?? '')
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const store = place().open()
  const plain = await receiver()
  const untrusted = `https://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`
  const { webhooks } = start(store, [
    hookOf(untrusted, { name: 'untrusted' }),
    hookOf(plain.url.replace('http:', 'https:'), { name: 'plain' }),
  ])
  const answers = await webhooks.test()
  for (const { ok, text } of answers) {
    expect(ok).toBe(false)
    expect(text).toMatch(/^no secure connection \([A-Z_0-9]+\): is its certificate trusted here\?$/)
  }
  expect(got).toEqual([])
})

test('a webhook that is added, changed or removed while the server runs takes effect at once, and disturbs no other', async () => {
  const store = place().open()
  const [one, two, moved] = [await receiver(), await receiver(), await receiver()]
  world(store, ['a', 'b', 'c', 'd'])
  two.answers((_, response) => response.writeHead(500).end())
  const steady = hookOf(one.url, { name: 'steady' })
  const { webhooks } = start(store, [steady])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  end(store, 'a', blocked)
  await until(() => expect(one.got.map(({ bead }) => bead)).toEqual(['a']))
  await webhooks.set([steady, hookOf(two.url, { name: 'new' })])
  end(store, 'b', failed)
  await until(() => expect(two.got.map(({ bead }) => bead)).toContain('b'))
  expect(two.got.map(({ bead }) => bead)).not.toContain('a') // earlier notices are not sent to it
  await webhooks.set([steady, hookOf(moved.url, { name: 'new' })])
  store.webhookChanged('new')
  await until(() => expect(moved.got.map(({ bead }) => bead)).toEqual(['b'])) // it keeps its waiting notices
  await webhooks.set([steady])
  end(store, 'c', failed)
  await until(() => expect(one.got.map(({ bead }) => bead)).toEqual(['a', 'b', 'c']))
  expect(moved.got).toHaveLength(1)
  expect(store.webhooks().map(({ name }) => name)).toEqual(['steady'])
})

test('the state of the last notice is known: when, why not, and what is tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = place().open()
  const { url, answers, got } = await receiver()
  world(store, ['a'])
  const { webhooks } = start(store, [], { firstPauseMs: 60_000, longestPauseMs: 60_000 })
  const list = webhookList({ config: new ConfigChanges(folder), store: store.patient, webhooks })
  expect(await list.list()).toEqual({ items: [], problem: null })
  expect(await list.save('ops', {})).toMatchObject({ status: 422, message: /a new one needs its address/ })
  expect(await list.save('ops', { url, format: 'ntfy', secret: 'x'.repeat(16) })).toMatchObject({ status: 422 })
  const secret = 'a secret of this test'
  const added = await list.save('ops', { url, secret, events: ['failed', 'needs_you'] })
  const origin = new URL(url).origin
  expect(added).toMatchObject({ items: [{ name: 'ops', origin, signed: true, lastAt: null, waiting: 0 }] })
  answers((_, response) => response.writeHead(503).end())
  end(store, 'a', blocked)
  await until(() => expect(store.webhooks()).toMatchObject([{ tries: 1 }]))
  const { items } = await list.list()
  expect(items).toMatchObject([
    { problem: 'it answered 503', waiting: 1, tries: 1, next: { event: 'needs_you', project: 'demo', bead: 'a' } },
  ])
  expect(items[0]?.nextAt).toBeGreaterThan(items[0]?.lastAt ?? Infinity)
  for (const told of [added, await list.list()]) {
    expect(JSON.stringify(told)).not.toContain('secret-path')
    expect(JSON.stringify(told)).not.toContain(secret)
  }
  // Another change keeps address and secret; the new address is tried at once.
  expect(await list.save('ops', { projects: ['demo'] })).toMatchObject({
    items: [{ signed: true, projects: ['demo'] }],
  })
  const other = await receiver()
  expect(await list.save('ops', { url: other.url })).toMatchObject({ items: [{ signed: true, problem: '' }] })
  await until(() => expect(other.got.map(({ bead }) => bead)).toEqual(['a']))
  await nothingLeft(store)
  expect((await list.list()).items).toMatchObject([{ problem: '', waiting: 0, nextAt: null, next: null }])
  expect(statSync(join(folder, 'config.json')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toContain(secret)
  expect(await list.save('ops', { secret: null })).toMatchObject({ items: [{ signed: false }] })
  expect(await list.remove('nobody')).toMatchObject({ status: 404 })
  expect(await list.remove('ops')).toEqual({ items: [], problem: null })
  writeFileSync(join(folder, 'config.json'), '{')
  expect(await list.save('ops', { url })).toMatchObject({ status: 409, message: /Fix the file by hand/ })
  expect(got.every(({ bead }) => bead === 'a')).toBe(true)
})

test('a plan that waits for approval needs you; one that fits a session, or starts by itself, does not', async () => {
  const store = place().open()
  const { url, got } = await receiver()
  world(store, ['a', 'b', 'c', 'd'])
  start(store, [hookOf(url)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  const planned = (id: string, approve: 'ask' | 'never', subtasks: Parameters<typeof planOf>[0]) => {
    const queue = {
      id: newExecutionId(seededRandom(Number.parseInt(id, 16))),
      project: demo,
      bead: bead(id),
      kind: 'plan' as const,
    }
    const chosen = { planning: { approve } }
    const asked = store.queueExecution({ ...queue, branch: `beads-${id}`, context: '', maxAttempts: 1, chosen })
    if ('refused' in asked) throw new Error(asked.refused)
    store.startExecution(asked.id, 9_999_999)
    const by = { execution: asked.id, commit: 'c' }
    store.addPlan({ project: demo, bead: bead(id), source: 'architect', plan: planOf(subtasks), by })
    store.endExecution(asked.id, completed)
  }
  planned('a', 'never', nineSubtasks)
  planned('b', 'ask', [subtaskOf('1')])
  planned('c', 'ask', nineSubtasks)
  end(store, 'd', failed)
  await until(() =>
    expect(got.map(({ event, bead }) => [event, bead])).toEqual([
      ['needs_you', 'c'],
      ['failed', 'd'],
    ]),
  )
})
