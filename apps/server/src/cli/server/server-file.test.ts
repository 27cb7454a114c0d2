import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoServer } from '../exit-code.ts'
import { findServer } from './server-file.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'bl-file-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Above what Linux gives to any process. */
const NOBODY = 2 ** 22 + 1
const write = (server: string, token = 'a'.repeat(43)): void => {
  writeFileSync(join(data, 'server.json'), server)
  writeFileSync(join(data, 'token'), `${token}\n`)
}

test('a running server is found with its token', async () => {
  write(JSON.stringify({ url: 'http://127.0.0.1:4600', pid: process.pid }))
  expect(await findServer(data)).toEqual({ url: 'http://127.0.0.1:4600', token: 'a'.repeat(43) })
})

test('one that was killed is no server, and its token is sent to nobody', async () => {
  write(JSON.stringify({ url: 'http://127.0.0.1:4600', pid: NOBODY }))
  await expect(findServer(data)).rejects.toThrow(NoServer)
})

test('somebody else’s process that has got its number is no server either', async () => {
  write(JSON.stringify({ url: 'http://127.0.0.1:4600', pid: 1 }))
  // The kernel answers so about another user's process, unless root asks.
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
