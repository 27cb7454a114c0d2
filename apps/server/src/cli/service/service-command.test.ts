import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../process/own-files.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-service-command-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Calls it as a person does. */
function service(args: string[], env: Record<string, string> = {}) {
  const bin = join(root, 'apps', 'server', 'bin', 'beadloom.mjs')
  const given = { PATH: '/usr/bin:/bin', HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env }
  return spawnSync(process.execPath, [bin, 'service', ...args], { cwd: folder, env: given, encoding: 'utf8' })
}

test('the unit is printed for this folder, and nothing is made', () => {
  const { status, stdout } = service(['install', '--print', '--json', '--data', 'my data'])
  expect(status).toBe(0)
  const { unit, text } = JSON.parse(stdout) as { unit: string; text: string }
  expect(unit).toBe(join(folder, 'config', 'systemd', 'user', 'beadloom.service'))
  expect(text).toContain(`start --data "${join(folder, 'my data')}"`)
  expect(readdirSync(folder)).toEqual([])
})

test('settings that no server starts with are refused before anything is changed', () => {
  const { status, stderr } = service(['install'], { BEADLOOM_PORT: '99999' })
  // On a system without systemd, the message says that.
  expect(stderr).toMatch(process.platform === 'linux' ? /BEADLOOM_PORT \("99999"\)/ : /systemd/)
  expect(status).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})
