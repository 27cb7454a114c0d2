import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { systemClock, type Clock } from '../../process/clock.ts'
import { Git, GitFailure } from './git.ts'

let folder: string
let git: Git
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-git-'))
  git = make()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const make = (binary = 'git', clock: Clock = systemClock) =>
  new Git({ binary, home: folder, searchPath: '/usr/local/bin:/usr/bin:/bin', cwd: folder, clock })

test("an error carries the exit code and git's words", async () => {
  const failed = git.run({ args: ['rev-parse', 'HEAD'] })
  await expect(failed).rejects.toBeInstanceOf(GitFailure)
  await expect(failed).rejects.toMatchObject({ code: 128, stderr: expect.stringContaining('not a git repository') })
})

test('without git on the machine the error says what to install', async () => {
  await expect(make('no-such-git').run({ args: ['version'] })).rejects.toThrow(
    /no-such-git was not found: install git 2.38/,
  )
})

test('nothing of the server’s own environment reaches git', async () => {
  const env = await git.text({ args: ['-c', 'alias.environment=!env', 'environment'] })
  expect(env).toContain(`HOME=${folder}`)
  expect(env).toContain('GIT_ALLOW_PROTOCOL=none')
  expect(env).not.toMatch(/NODE_|VITEST|npm_/)
})

test('no transport is allowed unless a call asks for one', async () => {
  await git.run({ args: ['init', '-q', '--bare', 'x.git'] })
  for (const url of [join(folder, 'x.git'), 'https://127.0.0.1:1/x', 'ssh://127.0.0.1/x', 'ext::sh -c true']) {
    await expect(git.run({ args: ['ls-remote', '--', url] })).rejects.toThrow(/not allowed/)
  }
})

test('output above the limit is an error, or cut when the caller wants that', async () => {
  const call = { args: ['-c', 'alias.flood=!yes', 'flood'], limitBytes: 1000 }
  await expect(git.run(call)).rejects.toMatchObject({ kind: 'refused' })
  const { stdout, cut } = await git.run({ ...call, cut: true })
  expect([stdout.length, cut]).toEqual([1000, true])
})

test('a flood on stderr keeps only its beginning and its end', async () => {
  const flood = '!f() { echo first >&2; yes middle | head -c 5000000 >&2; echo last >&2; exit 3; }; f'
  const failed = git.run({ args: ['-c', `alias.flood=${flood}`, 'flood'] }).catch((error: unknown) => error)
  const { stderr } = (await failed) as GitFailure
  expect(stderr).toMatch(/^first\n[^]*last\n$/)
  expect(stderr.length).toBeLessThan(200_000)
})

test('a remote that never answers is given up after the time limit, with all helpers of git', async () => {
  const { url, closed, asked, server } = await silentServer()
  const clock = new HandClock()
  const env = { GIT_ALLOW_PROTOCOL: 'http' }
  const running = make('git', clock).run({ args: ['ls-remote', '--', url], env, timeoutMs: 300 })
  await asked
  clock.advance(300)
  await expect(running).rejects.toMatchObject({ kind: 'timed-out' })
  await closed // git-remote-http is a process of its own: its connection ends only with it
  server.close()
})

test('an aborted call rejects with the reason and ends the process', async () => {
  const { url, closed, asked, server } = await silentServer()
  const stop = new AbortController()
  const env = { GIT_ALLOW_PROTOCOL: 'http' }
  const running = git.run({ args: ['ls-remote', '--', url], env, signal: stop.signal })
  await asked
  const reason = new Error('cancelled')
  stop.abort(reason)
  await expect(running).rejects.toBe(reason)
  await closed
  server.close()
})

test('a long message of git is whole in its failure, and without its middle in the sentence', () => {
  const stderr = `error: ${'a/file '.repeat(5_000)}\nAborting`
  const failure = new GitFailure('merge', { code: 1, stderr })
  expect(failure.stderr).toBe(stderr)
  expect(failure.message).toMatch(/^git merge failed \(exit 1\): error: [^]*characters left out[^]*\nAborting$/)
  expect(failure.message.length).toBeLessThan(4_200)
})

test.each(['No space left on device', 'Disk quota exceeded'])('a git that says "%s" has no space here', (why) => {
  const here = new GitFailure('merge-tree', { code: 128, stderr: `error: unable to write file: ${why}\n` })
  expect(here).toMatchObject({
    kind: 'no-space',
    message: expect.stringContaining('the disk of the server is full: err'),
  })
  const there = new GitFailure('fetch', { code: 128, stderr: `remote: fatal: write error: ${why}\n` })
  expect(there.kind, 'at the remote').toBe('git-failed')
})

type Silent = { url: string; asked: Promise<void>; closed: Promise<void>; server: Server }

/** A server that takes requests and never answers. */
async function silentServer(): Promise<Silent> {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const closed = new Promise<void>((resolve) =>
    server.on('connection', (socket) => socket.on('close', () => resolve())),
  )
  const asked = new Promise<void>((resolve) => server.once('request', () => resolve()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`, asked, closed, server }
}
