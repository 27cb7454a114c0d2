import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/* The set-up scripts are plain JavaScript without types; this part of them can be tried without a daemon. */
const { forgetDead } = (await import(join(import.meta.dirname, '..', '..', 'scripts', 'stale-pid.mjs'))) as {
  forgetDead: (pidFile: string, name: string) => void
}

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pid-'))
  file = join(folder, 'daemon.pid')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the number of a dead daemon is forgotten', () => {
  writeFileSync(file, '999999999\n')
  forgetDead(file, 'dockerd')
  expect(existsSync(file)).toBe(false)
})

test('a number that now belongs to another program is forgotten', () => {
  writeFileSync(file, String(process.pid))
  forgetDead(file, 'dockerd')
  expect(existsSync(file)).toBe(false)
})

test('the number of a running daemon stays', async () => {
  const daemon = spawn('sleep', ['60'])
  await new Promise((resolve) => daemon.once('spawn', resolve))
  try {
    writeFileSync(file, `${daemon.pid}\n`)
    forgetDead(file, 'sleep')
    expect(existsSync(file)).toBe(true)
  } finally {
    daemon.kill()
  }
})

test('a missing file is no trouble', () => {
  expect(() => forgetDead(file, 'dockerd')).not.toThrow()
})
