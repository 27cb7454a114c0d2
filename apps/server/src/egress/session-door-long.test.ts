// @suite unit-long

import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { outside, TestDoor, textOf, type TestDoorOptions } from './testing.ts'

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

test('a thousand connections at once are answered or refused, and the next one is served', async () => {
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

function openTunnel(way: TestDoor, port: number): Socket {
  const socket = way.connect()
  socket.write(connectTo(`example.org:${port}`))
  return socket
}
