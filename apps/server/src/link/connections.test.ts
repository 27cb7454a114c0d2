import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionHandlers } from '../ports/sandbox.ts'
import type { LinkBounds } from './link-bounds.ts'
import { OpenRequests } from './testing.ts'

let link: OpenRequests
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await link.close()
})

const order = { session: 'ex-0000000000.1' } as unknown as SessionOrder
const says = (what: string) => (_: IncomingMessage, response: ServerResponse) => void response.end(what)

async function offered(bounds: Partial<LinkBounds>, handlers: Partial<SessionHandlers> = {}): Promise<void> {
  link = await OpenRequests.open(bounds)
  link.requests.offer(order, { git: says('git'), model: says('model'), ...handlers }, () => {})
}

async function connected(): Promise<Socket> {
  const socket = connect(link.socketPath)
  sockets.push(socket.on('error', () => {}))
  await once(socket, 'connect')
  return socket
}

async function get(path: string): Promise<{ status: number | undefined; said: string }> {
  const asking = request({ socketPath: link.socketPath, path, agent: false }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: response.statusCode, said: await text(response) }
}

test('one connection too many is refused with a sentence, the others are served, and there is room when one has ended', async () => {
  await offered({ connections: 3 })
  const idle = [await connected(), await connected(), await connected()]
  const refused = await connected()
  expect(await text(refused)).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*too many connections open/s)
  idle[0]!.write('GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await text(idle[0]!)).toMatch(/^HTTP\/1\.1 200 .*model$/s)
  expect(await get('/v1/models')).toEqual({ status: 200, said: 'model' })
})

test('thousands of connections that stay open leave the link as it was for the next', async () => {
  await offered({ connections: 4 })
  for (let round = 0; round < 20; round++) {
    const many = Array.from({ length: 100 }, () => connect(link.socketPath).on('error', () => {}))
    let refused = 0
    await new Promise<void>((resolve) => {
      for (const socket of many) socket.resume().once('close', () => ++refused === 96 && resolve())
    })
    for (const socket of many) socket.destroy()
    await Promise.all(many.map((socket) => socket.closed || once(socket, 'close')))
  }
  await expect.poll(() => get('/v1/models')).toEqual({ status: 200, said: 'model' })
})

test('a client that sends request after request without waiting for an answer is cut off', async () => {
  link = await OpenRequests.open({ requestsPerConnection: 8 }) // no order is offered: every answer waits
  const socket = await connected()
  socket.write('GET /session HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(9))
  await once(socket.resume(), 'close')
})

test.each(['GET /session HTTP/1.1\r\n\r\n', 'GET /session HTTP/1.1\r\nExpect: wonders\r\n\r\n'])(
  'only the first few of thousands in one piece are begun',
  async (one) => {
    let begun = 0
    link = await OpenRequests.open({ requestsPerConnection: 8 })
    link.requests.offer(order, { git: says('git'), model: says('model') }, () => begun++)
    const socket = await connected()
    socket.write(one.repeat(3000))
    await new Promise((resolve) => socket.resume().once('close', resolve))
    expect(begun).toBe(8)
  },
)

test('a connection that never completes its headers is closed with 408', async () => {
  await offered({ headersMs: 500 }) // its bytes have been read by then
  const slow = await connected()
  slow.write('GET /v1/models HTTP/1.1\r\nHo')
  expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /)
})

test('a kept connection may be idle for longer than headers may take, and answers after that', async () => {
  await offered({ headersMs: 500 })
  const kept = await connected()
  kept.write('GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')
  const later = await connected()
  later.write('GET /v1/models HTTP/1.1\r\nHo')
  expect(await text(later)).toMatch(/^HTTP\/1\.1 408 /) // it has waited less long
  kept.write('GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await text(kept)).toMatch(/^HTTP\/1\.1 200 .*model$/s)
})

test('a kept connection gets 408 if its next request stops half-way', async () => {
  await offered({ headersMs: 500 })
  const kept = await connected()
  kept.write('GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')
  kept.write('GET /v1/models HTTP/1.1\r\nHo')
  expect(await text(kept)).toMatch(/^HTTP\/1\.1 408 /)
})

test('only a limited number of requests have a git at once; the next begins when one has its answer, or its client has left', async () => {
  const open: ServerResponse[] = []
  let told = () => {}
  await offered({ gitAtOnce: 2 }, { git: (_, response) => (open.push(response), told()) })
  const begun = (number: number) =>
    new Promise<void>((resolve) => {
      told = () => open.length >= number && resolve()
      told()
    })
  const answers = [get('/git/1'), get('/git/2')]
  await begun(2)
  answers.push(get('/git/3'))
  await get('/v1/models') // the third has arrived before this
  expect(open.length).toBe(2)
  open[0]!.end('done')
  await begun(3)
  for (const response of open.slice(1)) response.end('done')
  expect(await Promise.all(answers)).toEqual(Array(3).fill({ status: 200, said: 'done' }))
})

test('chunked bodies are accepted from two requests at once; a third is told to send a length, and others are served', async () => {
  await offered({ chunkedAtOnce: 2 }, { model: (request) => void request.resume() })
  const chunked = async () => {
    const socket = await connected()
    socket.write('POST /v1/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')
    return socket
  }
  const [first] = [await chunked(), await chunked()]
  const third = await chunked()
  expect(await text(third)).toMatch(/^HTTP\/1\.1 503 .*without a Content-Length/s)
  expect(await get('/git/1')).toMatchObject({ status: 200 })
  first!.destroy()
  await expect
    .poll(async () => {
      const again = await chunked()
      return Promise.race([once(again.resume(), 'end').then(() => 'refused'), get('/git/1').then(() => 'taken')])
    })
    .toBe('taken')
})

test('the rest of an unwanted body is read only for a while', async () => {
  await offered({ restMs: 1 }, { model: says('no') })
  const endless = await connected()
  endless.write('POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nand so on')
  expect(await text(endless)).toMatch(/^HTTP\/1\.1 200 /)
})
