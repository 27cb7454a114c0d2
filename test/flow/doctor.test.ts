// @suite flow-long
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import type { ProbeReport } from '@beadloom/core/isolation/probe-rows.ts'
import { beadloom } from '../support/command-line.ts'
import { TerminalWorld } from '../support/terminal-world.ts'

let world: TerminalWorld
beforeAll(async () => {
  world = await TerminalWorld.start()
})
afterAll(() => world.close())

describe('a person at the terminal', () => {
  test('checks everything with `doctor`', async () => {
    const checks = await world.json<Check[]>('doctor')
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual(
      [
        'node',
        'build',
        'docker',
        'limits',
        'images',
        'git',
        'tracker',
        'forge',
        'data',
        'database',
        'files',
        'backups',
        'model',
        'port',
      ].map((name) => [name, true]),
    )
    const { code, stdout } = await beadloom(['doctor', '--data', join(world.folder, 'none')], {
      env: { DOCKER_HOST: 'tcp://127.0.0.1:1', BEADLOOM_PORT: new URL(world.up.url).port },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/✕ docker .*\n +→ /)
    expect(stdout).toMatch(/✕ port .*in use.*\n +→ choose another port with --port/)
  })

  test('sees with `doctor --probe` what a sandbox can do, with the settings of the folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bl-probe-'))
    try {
      const said = async (config: object) => {
        writeFileSync(join(folder, 'beadloom.json'), JSON.stringify(config))
        const { code, stdout } = await beadloom(['doctor', '--probe', '--json', '--data', join(folder, 'none')], {
          cwd: folder,
        })
        expect(code).toBe(0)
        const { rows, left } = JSON.parse(stdout) as ProbeReport
        expect(left).toBe(0)
        return (what: string) => rows.find((row) => row.what === what)
      }
      const closed = await said({ limits: { processes: 77 } })
      expect(closed('mount')).toMatchObject({ group: 'do', can: false })
      expect(closed('capabilities')).toMatchObject({ can: false, detail: 'none' })
      expect(closed('network interfaces')?.detail).toBe('lo')
      expect(closed('processes without a limit')).toMatchObject({ can: false, detail: '77' })
      const open = await said({ network: 'bridge' })
      expect(open('network interfaces')?.detail).toMatch(/eth0/)
      expect(open('the gateway, which is the host in most sandboxes')).toMatchObject({ can: true })
      const { code, stdout } = await beadloom(['doctor', '--probe', '--data', join(folder, 'none')], { cwd: folder })
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^It can reach\n.*It can do\n/s) })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
