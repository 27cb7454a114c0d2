// @suite unit-long
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../apps/server/src/process/clock.ts'
import type { OpenStore } from '../../apps/server/src/store/open-store.ts'
import { running, world } from '../../apps/server/src/store/testing.ts'
import { webhookCheck } from '../../apps/server/src/webhooks/webhook-check.ts'
import type { WebhookBounds } from '../../apps/server/src/webhooks/webhooks.ts'
import { blocked, completed, end, failed, hookOf, nothingLeft, place, start, until } from '../support/webhooks.ts'

/*
 * Receivers that speak bytes, so they can break off anywhere: each fails in one way first, and then takes everything.
 * Every bead that needs a person, failed, was merged or waits for budget is reported, in every form of a notice.
 */
type Got = { headers: IncomingHttpHeaders; body: string }
type Answer = (socket: Socket) => void

const well: Answer = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
const says =
  (text: string): Answer =>
  (socket) =>
    socket.end(text)
/** Writes for ever, as fast as the other side reads. */
const pours =
  (head: string, more: string): Answer =>
  (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(more));
    }
    socket.on('drain', pour)
    socket.write(head)
    pour()
  }
const drips: Answer = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
  const drop = setInterval(() => socket.write('.'), 5)
  socket.on('close', () => clearInterval(drop))
}

/** Puts each whole request into `got` and gives the next of `answers`, or `well` once there are none left. */
async function receiver(answers: Answer[]) {
  const got: Got[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let text = ''
    let isWhole = false
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8')
      const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (isWhole || body === undefined || Buffer.byteLength(body) < length) return
      isWhole = true
      const headers = Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      )
      got.push({ headers, body })
      ;(answers.shift() ?? well)(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { got, port: (server.address() as AddressInfo).port }
}

const troubles: [string, Answer, RegExp, Partial<WebhookBounds>][] = [
  ['500', says('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'), /^it answered 500$/, {}],
  ['nothing', () => {}, /^it did not answer within/, { timeoutMs: 1_000 }],
  ['a reset', (socket) => socket.resetAndDestroy(), /^it cannot be reached \(ECONNRESET\)$/, {}],
  ['half an answer', says('HTTP/1.1 200'), /^it cannot be reached/, {}],
  ['another protocol', says('SSH-2.0-OpenSSH_9.9\r\n'), /^it cannot be reached/, {}],
  [
    'a redirect into the own network',
    says('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/secret-of-its\r\ncontent-length: 0\r\n\r\n'),
    /^it answered 302, a redirect, which is not followed: use the final address$/,
    {},
  ],
  ['headers without an end', pours('HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(65_536)}\r\n`), /^it cannot be reached/, {}],
  ['a letter every moment', drips, /^it did not answer within/, { timeoutMs: 1_000 }],
  [
    'a refusal that never ends',
    pours('HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n', `10000\r\n${'z'.repeat(65_536)}\r\n`),
    /^it answered 503$/,
    {},
  ],
]

const SECRET = 'a secret of this test'

/** Makes each event happen once, in order. */
function happen(store: OpenStore): void {
  end(store, 'a', blocked)
  end(store, 'b', failed)
  end(store, 'c', completed)
  const since = systemClock.now() // old notices are given up when a try fails
  const wait = { scope: 'bead', holder: 'd', unit: 'tokens', limit: 5, used: 5, since, until: since, currency: 'USD' }
  store.noteBudgetWait(running(store, 'd'), wait as unknown as Parameters<OpenStore['noteBudgetWait']>[1])
}

test.each(troubles)('a receiver that answers %s gets everything again, in each form', async (_, bad, why, bounds) => {
  const store = place().open()
  world(store, ['a', 'b', 'c', 'd'])
  const forms = ['json', 'ntfy', 'slack'] as const
  const receivers = await Promise.all(forms.map(() => receiver([bad, bad])))
  const hooks = forms.map((format, at) =>
    hookOf(`http://user:pass-word@127.0.0.1:${receivers[at]?.port}/secret-path?token=secret-query`, {
      name: format,
      format,
      secret: format === 'json' ? SECRET : null,
    }),
  )
  const problems = new Set<string>()
  const note = () => {
    for (const { problem } of store.webhooks()) if (problem !== '') problems.add(problem)
    const told = JSON.stringify([store.webhooks(), webhookCheck(store.webhooks())])
    for (const word of ['secret', 'pass-word', SECRET]) expect(told).not.toContain(word)
  }
  start(store, hooks, bounds)
  await until(() => expect(store.webhooks()).toHaveLength(3))
  happen(store)
  await until(() => {
    note()
    expect(receivers.map(({ got }) => got.length)).toEqual([6, 6, 6])
  })
  await nothingLeft(store)
  for (const problem of problems) expect(problem).toMatch(why)
  for (const [at, { got }] of receivers.entries()) {
    // The first came three times under one id, the others once each, in order.
    const ids = got.map(({ headers }) => headers['beadloom-delivery'])
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(new Set(ids).size).toBe(4)
    expect(got.slice(2).map(({ headers }) => headers['beadloom-event'])).toEqual([
      'needs_you',
      'failed',
      'merged',
      'budget',
    ])
    for (const { headers, body } of got) {
      expect(headers['authorization']).toBe(`Basic ${Buffer.from('user:pass-word').toString('base64')}`)
      expect(body).not.toContain('secret')
      expectForm[forms[at] ?? 'json'](headers, body)
    }
  }
})

const headline = /^(a needs you|b failed|c merged|d waits for budget): bead [abcd]/
const expectForm: Record<'json' | 'ntfy' | 'slack', (headers: IncomingHttpHeaders, body: string) => void> = {
  json: (headers, body) => {
    const signed = createHmac('sha256', SECRET)
      .update(`${String(headers['beadloom-timestamp'])}.${body}`)
      .digest('hex')
    expect(headers['beadloom-signature']).toBe(`sha256=${signed}`)
    expect(JSON.parse(body)).toMatchObject({ id: headers['beadloom-delivery'], event: headers['beadloom-event'] })
  },
  ntfy: (headers, body) => {
    expect(headers['title']).toMatch(headline)
    expect(headers['tags']).toMatch(/^(raising_hand|x|white_check_mark|moneybag)$/)
    expect(headers['priority']).toMatch(/^[24]$/)
    expect(body).not.toBe('')
  },
  slack: (_, body) => {
    const { text, blocks } = JSON.parse(body) as { text: string; blocks: { type: string }[] }
    expect(text).toMatch(headline)
    expect(blocks).toHaveLength(1)
  },
}

test('a user’s name that is not validly encoded is sent as it is, and does not end the deliveries', async () => {
  const store = place().open()
  world(store, ['a', 'b', 'c', 'd'])
  const { got, port } = await receiver([])
  start(store, [hookOf(`http://us%er:100%25@127.0.0.1:${port}/`)])
  await until(() => expect(store.webhooks()).toHaveLength(1))
  happen(store)
  await until(() => expect(got).toHaveLength(4))
  expect(got[0]?.headers['authorization']).toBe(`Basic ${Buffer.from('us%er:100%').toString('base64')}`)
})
