import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startHttp, TOKEN } from '../compose/testing/start-http.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

type Client = { socket: Socket; closed: () => boolean; said: () => string }

async function connected(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  let said = ''
  let closed = false
  socket.setEncoding('utf8').on('data', (text: string) => (said += text))
  socket.once('close', () => (closed = true))
  await once(socket, 'connect')
  return { socket, closed: () => closed, said: () => said }
}
const asks = (port: number) =>
  `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`

test('a client that holds connections without the token loses the oldest, and never keeps out one that has the token', async () => {
  const { port, ask } = await startHttp({ bounds: { clients: 20, strangers: 5 } })
  const idle: Client[] = []
  for (let n = 0; n < 12; n++) idle.push(await connected(port))
  await expect.poll(() => idle.map(({ closed }) => closed())).toEqual([...Array(7).fill(true), ...Array(5).fill(false)])
  for (let n = 0; n < 20; n++) expect((await ask('/api/status')).status).toBe(200)
})

test('a connection that has shown the token stays, whoever comes after it', async () => {
  const { port } = await startHttp({ bounds: { clients: 20, strangers: 3 } })
  const person = await connected(port)
  person.socket.write(asks(port))
  await expect.poll(person.said).toContain('HTTP/1.1 200')
  const strangers: Client[] = []
  for (let n = 0; n < 10; n++) strangers.push(await connected(port))
  await expect.poll(() => strangers.filter(({ closed }) => closed()).length).toBe(7)
  person.socket.write(asks(port))
  await expect.poll(() => person.said().split('HTTP/1.1 200').length).toBe(3)
  expect(person.closed()).toBe(false)
})

test('at the limit for all of them, idle connections of people make room for the next', async () => {
  const { port, ask } = await startHttp({ bounds: { clients: 4, strangers: 3 } })
  for (let n = 0; n < 4; n++) {
    const { socket, said } = await connected(port)
    socket.write(asks(port))
    await expect.poll(said).toContain('HTTP/1.1 200')
  }
  for (let n = 0; n < 5; n++) expect((await ask('/api/status')).status).toBe(200)
})

test('a WebSocket without the token is a stranger: its handshake buys it no place', async () => {
  const { port, http } = await startHttp({ bounds: { clients: 20, strangers: 2 } })
  http.server.on('upgrade', (request, socket) => {
    expect(http.access.admit(request).kind).toBe('unknown')
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  const upgrade = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
  const clients: Client[] = []
  for (let n = 0; n < 4; n++) {
    const client = await connected(port)
    client.socket.write(upgrade)
    await expect.poll(client.said).toContain('101')
    clients.push(client)
  }
  await expect.poll(() => clients.map(({ closed }) => closed())).toEqual([true, true, false, false])
})

test('a client that sends its requests all at once, reading no answer, is cut off, with the token or without', async () => {
  const { port, ask } = await startHttp()
  const few = await connected(port)
  few.socket.write(asks(port).repeat(10))
  await expect.poll(() => few.said().split('HTTP/1.1 200').length).toBe(11)
  for (const one of [asks(port), `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`]) {
    const many = await connected(port)
    many.socket.write(one.repeat(500))
    await expect.poll(many.closed).toBe(true)
    expect(many.said().split('HTTP/1.1').length).toBeLessThan(20)
  }
  expect((await ask('/api/status')).status).toBe(200)
})

test.each([
  ['without a host', 'GET / HTTP/1.1\r\n\r\n'],
  ['with an expectation', 'GET / HTTP/1.1\r\nExpect: wonders\r\n\r\n'],
  ['for a page', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
])('only the first few of very many requests %s in one piece are begun', async (_what, one) => {
  const { port, http } = await startHttp()
  let begun = 0
  for (const event of ['request', 'checkExpectation']) http.server.on(event, () => begun++)
  const many = await connected(port)
  many.socket.write(one.repeat(3000))
  await expect.poll(many.closed).toBe(true)
  expect(begun).toBeGreaterThan(16)
  expect(begun).toBeLessThan(60)
})

test('a WebSocket receives data that came with its handshake, however long', async () => {
  const { port, http } = await startHttp()
  let heard = ''
  http.server.on('upgrade', (_request, socket, head: Buffer) => {
    heard += head.toString()
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()))
  })
  const client = await connected(port)
  const handshake = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX: ${'x'.repeat(700)}\r\n\r\n`
  const more = Array.from({ length: 300 }, (_, n) => `frame ${n}, `).join('')
  client.socket.write(handshake + more)
  client.socket.write('the end')
  await expect.poll(() => heard).toBe(`${more}the end`)
})
