import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { outside, TestDoor, textOf, type TestDoorOptions } from './testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
async function door(options: TestDoorOptions = {}): Promise<TestDoor> {
  const made = await new TestDoor(options).listen()
  ends.push(() => made.close())
  return made
}
async function host(serve: (socket: Socket) => void) {
  const made = await outside(serve)
  ends.push(made.close)
  return made
}

const echo = (socket: Socket): void => void socket.pipe(socket)
const web = (socket: Socket): void => {
  let text = ''
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    if (!text.includes('\r\n\r\n')) return
    const body = text.replaceAll('\r\n', '|')
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)
  })
}
const connectTo = (target: string): string => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`

/** Reads until a text has come. */
async function until(socket: Socket, wanted: string): Promise<string> {
  let text = ''
  for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
    text += String(bytes)
    if (text.includes(wanted)) break
  }
  return text
}

describe('a way out', () => {
  test('is a tunnel to an allowed host, whose bytes are counted both ways', async () => {
    const far = await host(echo)
    const way = await door({ allow: [`packages.example.com:${far.port}`] })
    const socket = way.connect()
    socket.write(`${connectTo(`Packages.Example.COM.:${far.port}`)}hello`)
    expect(await until(socket, 'hello')).toBe('HTTP/1.1 200 Connection established\r\n\r\nhello')
    socket.write(' world')
    expect(await until(socket, 'world')).toBe(' world')
    socket.end()
    await once(socket, 'close')
    expect(await way.ledger()).toEqual([`packages.example.com:${far.port} reached 1`])
    expect(way.notes.reduce((sum, { sent }) => sum + sent, 0)).toBe(11)
    expect(way.notes.reduce((sum, { received }) => sum + received, 0)).toBe(11)
  })

  test('passes a plain request on, with the checked host and without the hop-by-hop headers', async () => {
    const far = await host(web)
    const way = await door({ allow: [`*.example.org:${far.port}`] })
    const url = `http://a.b.example.org:${far.port}/x?y=1`
    const said = await way.say(
      `GET ${url} HTTP/1.1\r\nHost: other.example.net\r\nProxy-Authorization: secret\r\nX-One: 1\r\nConnection: X-Two, close\r\nX-Two: 2\r\n\r\n`,
    )
    expect(said).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(said).toContain(`GET /x?y=1 HTTP/1.1|`)
    expect(said.toLowerCase()).toContain(`|host: a.b.example.org:${far.port}|`)
    expect(said.toLowerCase()).toContain('|x-one: 1|')
    expect(said).not.toMatch(/secret|x-two|other\.example/i)
  })

  test('passes the body of a request on', async () => {
    const far = await host((socket) => {
      let text = ''
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString()
        if (text.endsWith('0\r\n\r\n')) socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${text.includes('body') ? 'got it' : ''}`) // prettier-ignore
      })
    })
    const way = await door({ allow: [`example.org:${far.port}`] })
    const head = `POST http://example.org:${far.port}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    expect(await way.say(`${head}4\r\nbody\r\n0\r\n\r\n`)).toContain('got it')
  })

  const hidden = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n'
  const inChunks = { head: 'Transfer-Encoding: chunked\r\nConnection: close', body: `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n` } // prettier-ignore
  const withLength = { head: `Content-Length: ${hidden.length}\r\nConnection: close, content-length`, body: hidden }

  test.each(
    ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'].flatMap((method) => [
      { method, framed: 'in chunks', ...inChunks },
      { method, framed: 'whose length is called one between neighbours', ...withLength },
    ]),
  )('passes the body of $method $framed on as one body, whatever it looks like', async ({ method, head, body }) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      let whole = ''
      request.on('data', (bytes: Buffer) => (whole += bytes.toString()))
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${whole}`)
        response.end('done')
      })
    })
    ends.push(() => server.close())
    const far = await host((socket) => void server.emit('connection', socket))
    const way = await door({ allow: [`example.org:${far.port}`] })
    const said = await way.say(`${method} http://example.org:${far.port}/first HTTP/1.1\r\n${head}\r\n\r\n${body}`)
    expect(said).toMatch(/^HTTP\/1\.1 200/)
    expect(asked).toEqual([`${method} /first ${hidden}`])
  })

  test('refuses a transfer encoding that is more than chunks', async () => {
    const way = await door({ allow: ['example.org:80'] })
    const head = 'GET http://example.org/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n'
    expect(await way.say(`${head}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 501 /)
  })

  test('is closed for hosts that are not in the list, and says so', async () => {
    const way = await door({ allow: ['example.org', '*.example.com', 'x.example.net:8443'] })
    const refused = ['other.org:443', 'sub.example.org:443', 'example.com:443', 'example.org:22', 'x.example.net:443', 'notexample.org:80'] // prettier-ignore
    for (const target of refused) expect(await way.say(connectTo(target))).toMatch(/^HTTP\/1\.1 403 .*"network.allow"/s)
    expect(await way.say('GET http://other.org/ HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('403 Forbidden')
    expect(await way.ledger()).toEqual(['other.org:80 refused 1', ...refused.map((target) => `${target} refused 1`)].toSorted()) // prettier-ignore
  })

  test('is closed for addresses in whatever form', async () => {
    const way = await door({ allow: ['example.org'] })
    for (const target of ['127.0.0.1:443', '[::1]:443', '2130706433:443', '0x7f.1:80', '169.254.169.254:80'])
      expect(await way.say(connectTo(target))).toContain('403 Forbidden')
    expect(await way.say('GET http://0x7f000001/ HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('403 Forbidden')
  })

  test('is closed for requests that are not for a proxy', async () => {
    const way = await door({ allow: ['example.org'] })
    const head = ' HTTP/1.1\r\nConnection: close\r\n\r\n'
    for (const target of [
      'GET /etc/passwd',
      'GET https://example.org/',
      'GET http://user:word@example.org/',
      'GET http://[/',
    ])
      expect(await way.say(`${target}${head}`)).toContain('400 Bad Request')
    for (const target of [
      'user@example.org:443',
      'example.org',
      'example.org:0',
      'example.org:99999',
      'a b:443',
      '/x:443',
    ])
      expect(await way.say(connectTo(target))).toContain('400 Bad Request')
  })

  test('does not lead to a private address, even by an allowed name', async () => {
    const isPublic = (address: string) => address === '127.0.0.1'
    const way = await door({ allow: ['example.org'], resolve: async () => ['10.0.0.7', '::1'], isPublic })
    expect(await way.say(connectTo('example.org:443'))).toMatch(/403 Forbidden.*private network/s)
    expect(await way.ledger()).toEqual(['example.org:443 private 1'])
  })

  test('leads to the very address that was checked, whatever the name says a moment later', async () => {
    const far = await host(echo)
    const answers = [['127.0.0.1'], ['10.0.0.7']]
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return answers.shift() ?? []
    }
    const way = await door({
      allow: [`example.org:${far.port}`],
      resolve,
      isPublic: (address) => address === '127.0.0.1',
    })
    const socket = way.connect()
    socket.write(`${connectTo(`example.org:${far.port}`)}hello`)
    expect(await until(socket, 'hello')).toContain('200')
    expect(asked).toEqual(['example.org'])
    expect(await way.say(connectTo(`example.org:${far.port}`))).toContain('403')
    expect(await way.ledger()).toEqual([`example.org:${far.port} private 1`, `example.org:${far.port} reached 1`])
  })

  test('tries the next address of a name, and says when none answers', async () => {
    const far = await host(echo)
    const way = await door({
      allow: [`example.org:${far.port}`, 'example.org:1'],
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
    })
    const socket = way.connect()
    socket.write(`${connectTo(`example.org:${far.port}`)}hello`)
    expect(await until(socket, 'hello')).toContain('200')
    expect(await way.say(connectTo('example.org:1'))).toContain('504')
  })

  test('says when a name has no address, or no resolver answers', async () => {
    const none = await door({ allow: ['example.org'], resolve: async () => [] })
    expect(await none.say(connectTo('example.org:443'))).toMatch(/502.*has no address/s)
    const resolve = async () => Promise.reject(new Error('no name server'))
    const nobody = await door({ allow: ['example.org'], resolve })
    expect(await nobody.say(connectTo('example.org:443'))).toMatch(/502.*no name server/s)
    expect(await nobody.ledger()).toEqual(['example.org:443 failed 1'])
  })
})

describe('a way out is limited in', () => {
  test('headers', async () => {
    const way = await door({ allow: ['example.org'] })
    const long = 'x'.repeat(1024 * 1024)
    expect(await way.say(`GET http://example.org/ HTTP/1.1\r\nX-Long: ${long}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431/)
  })

  test('connections, of one sandbox and of all', async () => {
    const far = await host(echo)
    for (const bounds of [{ connections: 3 }, { allConnections: 3 }]) {
      const way = await door({ allow: [`example.org:${far.port}`], bounds })
      const held = await Promise.all(
        [1, 2, 3].map(async () => {
          const socket = way.connect()
          socket.write(connectTo(`example.org:${far.port}`))
          await until(socket, '200')
          return socket
        }),
      )
      expect(await way.say(connectTo(`example.org:${far.port}`))).toMatch(/^HTTP\/1\.1 503/)
      const closed = once(held[0]!, 'close')
      held[0]!.destroy()
      await closed
      const again = async () => (await until(openTunnel(way, far.port), '\r\n\r\n')).slice(0, 12)
      await expect.poll(again).toBe('HTTP/1.1 200')
    }
  })

  test('silent time, of a host that never answers and of a client that never reads', async () => {
    const ended: Promise<unknown>[] = []
    const silent = await host((socket) => void ended.push(once(socket.resume(), 'end')))
    const flood = await host((socket) => {
      ended.push(closed(socket))
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65536)));
        socket.once('drain', more)
      }
      more()
    })
    const allow = [`a.example.org:${silent.port}`, `b.example.org:${flood.port}`]
    const way = await door({ allow, bounds: { idleMs: 200, lookMs: 20 } })
    for (const target of allow) {
      const socket = way.connect()
      socket.pause()
      socket.write(connectTo(target))
    }
    await expect.poll(() => ended.length).toBe(2)
    await Promise.all(ended)
  })

  test('bytes', async () => {
    const far = await host((socket) => socket.on('data', () => socket.write(Buffer.alloc(4096))))
    const way = await door({ allow: [`example.org:${far.port}`], bounds: { bytes: 4096, lookMs: 20 } })
    const socket = openTunnel(way, far.port)
    await until(socket, '200')
    socket.write('more')
    await textOf(socket)
    expect(await way.say(connectTo(`example.org:${far.port}`))).toMatch(/403.*all the bytes/s)
  })

  test('time for the headers of a request', async () => {
    const clock = new HandClock()
    const way = await door({ allow: ['example.org'], clock })
    const socket = way.connect()
    socket.write('GET http://example.org/ HTTP/1.1\r\n')
    const text = textOf(socket)
    await once(socket, 'connect')
    let said: string | null = null
    void text.then((all) => (said = all))
    while (said === null) {
      await clock.advance(1_000)
      await new Promise(setImmediate)
    }
    expect(said).toMatch(/^HTTP\/1\.1 408/)
  })
})

longTest('a thousand connections at once are answered or refused, and the next one is served', async () => {
  const far = await host(echo)
  const way = await door({ allow: [`example.org:${far.port}`] })
  const all = await Promise.all(
    Array.from({ length: 1000 }, async () => {
      const socket = openTunnel(way, far.port)
      socket.end()
      return (await textOf(socket)).slice(9, 12)
    }),
  )
  expect(all.every((status) => ['200', '503', ''].includes(status))).toBe(true)
  const again = async () => (await until(openTunnel(way, far.port), '\r\n\r\n')).slice(0, 12)
  await expect.poll(again).toBe('HTTP/1.1 200')
})

test('a session that ends closes its connections', async () => {
  const far = await host(echo)
  const way = await door({ allow: [`example.org:${far.port}`] })
  const socket = openTunnel(way, far.port)
  await until(socket, '200')
  const closed = once(socket, 'close')
  socket.resume()
  way.door.close()
  await closed
  expect(await way.ledger()).toEqual([`example.org:${far.port} reached 1`])
})

const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve))

function openTunnel(way: TestDoor, port: number): Socket {
  const socket = way.connect()
  socket.write(connectTo(`example.org:${port}`))
  return socket
}
