import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serverFilePath, type ServerFile } from '@beadloom/server/src/health/server-file.ts'
import { tally } from '../crash/tally.ts'
import { beadloom, cleanEnv, type Up } from '../support/command-line.ts'

/* `npm start` with a real server that is killed. test/parts/supervise.test.ts has the supervisor's decisions. */

const script = join(import.meta.dirname, '..', '..', 'scripts', 'start.mjs')
let data: string
let child: ChildProcess | null = null
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'bl-start-'))
})
afterEach(() => {
  child?.kill('SIGKILL') // if the test did not get there; the server notices and stops
  rmSync(data, { recursive: true, force: true })
})

test('a killed server is started again on the same data folder, and a signal ends both with 0', async () => {
  const args = [script, '--data', data, '--port', '0', '--no-demo', '--warm', '0', '--json']
  child = spawn(process.execPath, args, { env: cleanEnv(), stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child?.once('exit', resolve))
  let said = ''
  await new Promise<void>((resolve) => {
    child?.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text).includes('\n}\n') && resolve())
  })
  const first = JSON.parse(said) as Up
  process.kill(first.pid, 'SIGKILL')
  const pidNow = () => (JSON.parse(readFileSync(serverFilePath(data), 'utf8')) as ServerFile).pid
  await expect.poll(pidNow, { timeout: 60_000 }).not.toBe(first.pid)
  tally({ fault: 'SIGKILL of the server of `npm start`', times: 1, sigkills: 1 })
  expect((await beadloom(['status', '--data', data])).code).toBe(0)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(JSON.parse(said)).toEqual(first) // one document, though two servers started
})
