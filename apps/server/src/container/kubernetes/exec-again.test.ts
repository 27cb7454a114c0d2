// @suite unit-long
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { KubeClient } from './kube-client.ts'
import { podArchive, podCarrier, runInPod } from './pod-exec.ts'

/*
 * The real client's cable to an API server that fails like those of 1.37: with a number, or with a Status on the cable.
 */

type Answer = (socket: Duplex, key: string) => void

const LOADS_MS = 300_000
const STATUS = 3
const STDOUT = 1

const refused =
  (number: number): Answer =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${number} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

/** Frames of the server are not masked, and these are short. */
const frame = (channel: number, text: string): Buffer => {
  const bytes = Buffer.from(text)
  const length = bytes.length + 1
  const head = length < 126 ? [0x82, length] : [0x82, 126, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([...head, channel]), bytes])
}

const opened =
  (...frames: Buffer[]): Answer =>
  (socket, key) => {
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    const head = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade']
    const rest = [`sec-websocket-accept: ${accept}`, 'sec-websocket-protocol: v5.channel.k8s.io', '', '']
    socket.write([...head, ...rest].join('\r\n'))
    socket.write(Buffer.concat(frames))
  }

const success = frame(STATUS, JSON.stringify({ status: 'Success' }))
const failed = (code: number, message: string) =>
  frame(STATUS, JSON.stringify({ status: 'Failure', reason: 'InternalError', code, message }))
const done = opened(frame(STDOUT, 'done'), success)
const away = opened(failed(500, 'error dialing backend: connection refused'))

let server: Server
let folder: string
let answers: Answer[]
let asked: number
let client: KubeClient
const sockets = new Set<Duplex>()

beforeEach(async () => {
  asked = 0
  server = createServer().on('upgrade', (request, socket: Duplex) => {
    asked += 1
    sockets.add(socket)
    socket.on('error', () => {})
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(socket, request.headers['sec-websocket-key'] ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  folder = mkdtempSync(join(tmpdir(), 'bl-exec-'))
  const { port } = server.address() as AddressInfo
  const kubeconfig = join(folder, 'config')
  const named = { name: 'here' }
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ ...named, cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ ...named, user: {} }],
      contexts: [{ ...named, context: { cluster: 'here', user: 'here' } }],
      'current-context': 'here',
    }),
  )
  client = new KubeClient({ kubeconfig, namespace: 'beadloom', images: { registry: 'r.example' } }, systemClock)
  await client.opened() // the library is large, and calls have a limit
}, LOADS_MS)
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const where = { pod: 'one', container: 'keeper' } as const

test.each([
  ['the cable is refused with 500', refused(500)],
  ['the cable is refused with 503', refused(503)],
  ['the cable says that the node was not reached', away],
])('a program in a pod is run once more if %s', async (_, first) => {
  answers = [first, done]
  expect(await runInPod(client, where, 'true')).toEqual({ code: 0, said: 'done' })
  expect(asked).toBe(2)
})

test('the files of a pod are asked for once more, and so is its supervisor', async () => {
  answers = [refused(500), away, opened(frame(STDOUT, '+tar'), success)]
  const tar = await podArchive(client, 'one', '/files/x')
  expect(tar && Buffer.concat(await tar.toArray()).toString()).toBe('tar')
  answers = [refused(500), opened(frame(STDOUT, 'hello'))]
  const { input, output } = await podCarrier(client, 'one', () => {})
  const [first] = (await input.take(1).toArray()) as Buffer[]
  expect(first?.toString()).toBe('hello')
  output.destroy()
})

test('it is given up after three times, in the words of the cluster', async () => {
  answers = [away]
  await expect(runInPod(client, where, 'true')).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('error dialing backend: connection refused'),
  })
  expect(asked).toBe(3)
})

test('a refused program is not tried again', async () => {
  answers = [refused(403), done]
  await expect(runInPod(client, where, 'true')).rejects.toMatchObject({ message: expect.stringContaining('403') })
  expect(asked).toBe(1)
})

test('a program that has run and ended badly is not run again', async () => {
  const details = { causes: [{ reason: 'ExitCode', message: '3' }] }
  const status = { status: 'Failure', reason: 'NonZeroExitCode', code: 500, message: 'exit code 3', details }
  answers = [opened(frame(STATUS, JSON.stringify(status))), done]
  expect(await runInPod(client, where, 'exit 3')).toMatchObject({ code: 3 })
  expect(asked).toBe(1)
})
