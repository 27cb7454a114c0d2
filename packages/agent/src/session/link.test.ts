import { rm } from 'node:fs/promises'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLink } from './link.ts'
import { systemClock } from '../process/clock.ts'
import { tempFolder } from '../testing/temp-folder.ts'

async function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, onConnection)
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return server
}

async function start({ giveUpAfterMs = 60_000 } = {}) {
  const socketPath = join(await tempFolder(), 'link.sock')
  const link = await openLink({ socketPath, port: 0, giveUpAfterMs }, systemClock)
  onTestFinished(() => link.close())
  const dial = () => {
    const socket = connect({ port: Number(new URL(link.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { socketPath, link, dial }
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'end')
  return Buffer.concat(chunks).toString()
}

test('bytes go both ways, over many connections at once', async () => {
  const { socketPath, dial } = await start()
  await listen(socketPath, (socket) => socket.pipe(socket))
  const texts = Array.from({ length: 50 }, (_, index) => `${index} `.repeat(20_000))
  const echoed = texts.map((text) => {
    const socket = dial()
    socket.end(text)
    return readAll(socket)
  })
  expect(await Promise.all(echoed)).toEqual(texts)
})

test('a side that has said everything can still listen', async () => {
  const { socketPath, dial } = await start()
  await listen(socketPath, (socket) => void readAll(socket).then((text) => socket.end(`heard: ${text}`)))
  const socket = dial()
  socket.end('question')
  expect(await readAll(socket)).toBe('heard: question')
})

test('a connection waits for a server that is not there yet', async () => {
  const { socketPath, dial } = await start()
  const socket = dial()
  socket.write('early')
  await once(socket, 'connect')
  await listen(socketPath, (other) => other.end('welcome'))
  expect(await readAll(socket)).toBe('welcome')
})

test('a server that was restarted on the same path is found again', async () => {
  const { socketPath, dial } = await start()
  const first = await listen(socketPath, (socket) => socket.end('first'))
  expect(await readAll(dial())).toBe('first')
  first.close()
  await rm(socketPath, { force: true })
  const waiting = readAll(dial())
  await listen(socketPath, (socket) => socket.end('second'))
  expect(await waiting).toBe('second')
})

test('without a server the connection fails when patience ends', async () => {
  const { dial } = await start({ giveUpAfterMs: 50 })
  const socket = dial()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(socket.bytesRead).toBe(0)
})

test('a server that breaks off takes the connection with it', async () => {
  const { socketPath, dial } = await start()
  await listen(socketPath, (socket) => socket.once('data', () => socket.destroy()))
  const socket = dial()
  socket.write('hello')
  expect(await readAll(socket)).toBe('')
})

test('a client that breaks off takes the connection with it', async () => {
  const { socketPath, dial } = await start()
  const gone = new Promise<void>((resolve) => {
    void listen(socketPath, (socket) => {
      socket.on('error', () => {})
      socket.once('end', () => resolve())
      socket.once('data', () => client.resetAndDestroy())
      socket.resume()
    })
  })
  const client = dial()
  client.write('hello')
  await gone
})

test('what nobody reads stops the sender', async () => {
  const { socketPath, dial } = await start()
  let sent = 0
  const blocked = new Promise<void>((resolve) => {
    void listen(socketPath, (socket) => {
      const chunk = Buffer.alloc(256 * 1024)
      const send = () => {
        while (sent < 200 * 1024 ** 2 && socket.write(chunk)) sent += chunk.length
        sent += chunk.length
        resolve()
      }
      socket.on('drain', send)
      socket.on('error', () => {})
      send()
    })
  })
  const socket = dial()
  socket.pause()
  await blocked
  // Everything that buffers hold has been sent when a turn of the event loop brings no more.
  for (let before = -1; before !== sent;) {
    before = sent
    await systemClock.sleep(300)
  }
  expect(sent).toBeLessThan(50 * 1024 ** 2)
})

test('a port that is taken is refused', async () => {
  const { socketPath, link } = await start()
  const port = Number(new URL(link.url).port)
  await expect(openLink({ socketPath, port, giveUpAfterMs: 0 }, systemClock)).rejects.toThrow(/EADDRINUSE/)
})
