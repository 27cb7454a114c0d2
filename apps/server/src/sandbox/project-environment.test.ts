import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { Stopped } from '../execution/stop.ts'
import type { EnvironmentWish } from './environment-wish.ts'
import { ProjectEnvironments, type EnvironmentDeps } from './project-environment.ts'

const engine = {
  name: 'local',
  environment: async () => null,
  prepare: async () => 'bare',
  imageName: () => 'image',
}
const deps = {
  engines: { of: () => engine, nameOf: () => 'local' },
  hub: {
    rootFiles: async () => [],
    filesIn: async () => [],
    modules: async () => ({ here: [] }),
    hashFiles: async () => [],
  },
  store: { noteImages: async () => {} },
  clock: { monotonic: () => 0 },
} as unknown as EnvironmentDeps
const settings = {
  image: 'own',
  devcontainer: null,
  instead: null,
  setup: 'npm ci',
  folders: [],
  env: {},
  secrets: [],
  allow: [],
}

test('a stop does not wait for the setup of the execution that makes the same environment', async () => {
  const environments = new ProjectEnvironments(deps)
  const stop = new AbortController()
  const waits: string[] = []
  const wish = (own: Partial<EnvironmentWish>) =>
    ({
      project: parseProjectId('demo'),
      settings: { ...settings, limits: {}, toolchains: {} },
      agent: null,
      stopper: { signal: new AbortController().signal },
      onProgress: () => {},
      onWait: async (tag: string) => void waits.push(tag),
      setUp: () => new Promise(() => {}), // it takes very long
      ...own,
    }) as unknown as EnvironmentWish
  void environments.ensure(wish({}), 'c')
  await setImmediate()
  const waiting = environments.ensure(wish({ stopper: { signal: stop.signal } }), 'c')
  await setImmediate()
  expect(waits).toHaveLength(1)
  const outcome = waiting.catch((error: unknown) => error)
  stop.abort()
  expect(await Promise.race([outcome, setImmediate('still waits')])).toBeInstanceOf(Stopped)
})
