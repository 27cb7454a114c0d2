import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/* `npm start` starts a crashed server again. Here the server is a line of shell that notes each of its starts. */

const supervise = join(import.meta.dirname, '..', '..', 'scripts', 'supervise.mjs')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-supervise-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function watched(line: string, options: { pausesMs: number[]; recoveredMs?: number }) {
  const starts = join(folder, 'starts')
  const program = `
    const { supervise } = await import(${JSON.stringify(supervise)})
    const line = ${JSON.stringify(`echo x >> ${starts}; n=$(wc -l < ${starts}); ${line}`)}
    const command = () => ({ command: 'sh', args: ['-c', line], env: process.env, stdio: 'inherit' })
    process.exit(await supervise(command, ${JSON.stringify(options)}))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const told: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      for (const tell of told.splice(0)) tell()
    })
  const says = async (what: RegExp) => {
    while (!what.test(said)) await new Promise<void>((resolve) => told.push(resolve))
  }
  const ended = new Promise<{ code: number | null; starts: number; said: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, starts: readFileSync(starts, 'utf8').split('\n').length - 1, said }))
  })
  return { child, ended, says }
}

test.each([
  ['a clean end', 'exit 0', 0],
  ['a refusal with a sentence', 'exit 1', 1],
  ['a wrong command line', 'exit 2', 2],
  ['a second Ctrl-C', 'exit 130', 130],
  ['a signal that somebody sent it', 'kill -TERM $$', 143],
])('%s is final, and its exit code is kept', async (_, line, code) => {
  expect(await watched(line, { pausesMs: [0, 0] }).ended).toMatchObject({ code, starts: 1 })
})

test.each([
  ['with a bug', 'exit 70', 'exit code 70'],
  ['by the system', 'kill -KILL $$', 'SIGKILL'],
])('a server that ended %s is started again, and then its own exit code counts', async (_, crash, how) => {
  const end = await watched(`[ $n -lt 3 ] && ${crash}; exit 0`, { pausesMs: [1, 2, 3] }).ended
  expect(end).toMatchObject({ code: 0, starts: 3 })
  expect(end.said.split(`The server crashed (${how})`).length).toBe(3)
})

test('a server that crashes again and again stays down, with a sentence and its exit code', async () => {
  const end = await watched('exit 70', { pausesMs: [1, 1] }).ended
  expect(end).toMatchObject({ code: 70, starts: 3 })
  expect(end.said).toContain('3 times in a row. It is not started again')
})

test('crashes with a long life between them each count as the first', async () => {
  const end = await watched('[ $n -lt 6 ] && exit 70; exit 0', { pausesMs: [1], recoveredMs: 0 }).ended
  expect(end).toMatchObject({ code: 0, starts: 6 })
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s is passed on, and nothing is started after it, whatever the server ends with',
  async (signal) => {
    const { child, says, ended } = watched(`trap 'exit 70' TERM INT HUP; echo up; while :; do sleep 0.1; done`, {
      pausesMs: [1, 1],
    })
    await says(/up/)
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 70, starts: 1 })
  },
)

test('a signal during the pause ends it at once', async () => {
  const { child, says, ended } = watched('exit 70', { pausesMs: [3_600_000] })
  await says(/started again in 3600 s/)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 143, starts: 1 })
})
