import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Check } from '@beadloom/core/api/server-api.ts'
import { beadloom } from '../support/command-line.ts'
import { TerminalWorld } from '../support/terminal-world.ts'

let world: TerminalWorld
beforeAll(async () => {
  world = await TerminalWorld.start()
})
afterAll(() => world.close())

describe('a person at the terminal', () => {
  test('has everything looked at by `doctor`', async () => {
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
})
