import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CHALLENGE_HEADER, proofOf } from '../process/server-proof.ts'
import { NoServer, findServer } from './server-file.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'bl-file-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Above every pid that Linux gives to a process. */
const NOBODY = 2 ** 22 + 1
const write = (server: string, token = 'a'.repeat(43)): void => {
  writeFileSync(join(data, 'server.json'), server)
  writeFileSync(join(data, 'token'), `${token}\n`)
}

/** A listener, and the requests that it got. */
async function listens(
  answer: (asked: IncomingMessage) => unknown,
): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    response.end(JSON.stringify(answer(request)))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  write(JSON.stringify({ url, pid: process.pid }))
  return { url, asked }
}
const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

test('a running server is found with its token, which it has to know first', async () => {
  const token = 'a'.repeat(43)
  const { url, asked } = await listens(({ headers }) => ({ proof: proofOf(token, String(headers[CHALLENGE_HEADER])) }))
  expect(await findServer(data)).toEqual({ url, token })
  expect(await findServer(data)).toEqual({ url, token })
  expect(asked).toHaveLength(1)
})

test.each([
  ['nothing', () => ({ ok: true })],
  ['another token', ({ headers }: IncomingMessage) => ({ proof: proofOf('b', String(headers[CHALLENGE_HEADER])) })],
  ['an earlier answer', () => ({ proof: proofOf('a'.repeat(43), 'f'.repeat(64)) })],
  ['no object', () => null],
])('a program that has taken its port and shows %s does not get the token', async (_, answer) => {
  const { asked } = await listens(answer)
  await expect(findServer(data)).rejects.toThrow('so the token was not sent')
  expect(asked).toHaveLength(1)
  expect(JSON.stringify([asked[0]?.url, asked[0]?.rawHeaders])).not.toContain('aaaaaaaa')
})

test('a server that does not listen is not running', async () => {
  const { url } = await listens(() => ({}))
  await new Promise((resolve) => servers.pop()!.close(resolve))
  await expect(findServer(data)).rejects.toThrow(`no Beadloom server is running on ${data}`)
  expect(url).toContain('127.0.0.1')
})

test('a killed server does not count as running, and its token is sent to nobody', async () => {
  write(JSON.stringify({ url: 'http://127.0.0.1:4600', pid: NOBODY }))
  await expect(findServer(data)).rejects.toThrow(NoServer)
})

test('somebody else’s process that has got its number is no server either', async () => {
  write(JSON.stringify({ url: 'http://127.0.0.1:4600', pid: 1 }))
  // The kernel's answer about another user's process, unless root asks.
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
  })
  try {
    await expect(findServer(data)).rejects.toThrow(NoServer)
  } finally {
    kill.mockRestore()
  }
})

test.each(['', '{', '{"url":"http://127.0.0.1:46', '[]', 'null', '{"url":"nonsense","pid":1}'])(
  'a file that was cut off while it was written is no server: %j',
  async (text) => {
    write(text)
    await expect(findServer(data)).rejects.toThrow(`no Beadloom server is running on ${data}`)
  },
)

test.each(['', 'two words', 'línea'])('a token that cannot be one is named by its file: %j', async (token) => {
  write(JSON.stringify({ url: 'http://127.0.0.1:4600', pid: process.pid }), token)
  await expect(findServer(data)).rejects.toThrow(join(data, 'token'))
})
