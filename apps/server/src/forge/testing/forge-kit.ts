import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import {
  ForgeError,
  type ForgeKind,
  type ForgeRepository,
  type Forges,
  type NewPullRequest,
} from '../../ports/forge.ts'
import type { Environment } from '../../process/settings/settings.ts'
import { createForges } from '../create-forges.ts'
import { FakeForge } from './fake-forge.ts'

/** The token in every test. It may be seen nowhere but at the forge. */
export const CANARY = 'glpat-C4nary/Token+8f2e61'

export const work: NewPullRequest = { head: 'work', base: 'main', title: 'The work', body: 'What was done.\n' }

export function dataFolder(): { data: string; remove: () => void } {
  const data = mkdtempSync(join(tmpdir(), 'forge-test-'))
  return { data, remove: () => rmSync(data, { recursive: true, force: true }) }
}

export function writeForges(data: string, value: unknown, mode = 0o600): void {
  const path = join(data, 'forges.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  chmodSync(path, mode)
}

export type Kit = {
  fake: FakeForge
  forges: Forges
  clock: HandClock
  data: string
  repository: ForgeRepository
  end: () => Promise<void>
}

/** A forge of the kind, set up with the canary as its token. */
export async function forgeKit(kind: ForgeKind, env: Environment = {}): Promise<Kit> {
  const fake = await FakeForge.start(kind)
  const { data, remove } = dataFolder()
  writeForges(data, { [fake.host]: { kind, token: CANARY, url: fake.url } })
  const clock = new HandClock()
  const forges = createForges({ data, env, clock })
  const repository = await forges.repositoryOf(fake.remote)
  if (repository === null) throw new Error('the fake forge is not known')
  const end = async () => {
    await fake.stop()
    remove()
  }
  return { fake, forges, clock, data, repository, end }
}

/** Everything that could be printed of an error. */
export const allOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.stack, JSON.stringify(error), allOf(error.cause), ...Object.values(error).map(String)].join(
        '\n',
      )
    : (JSON.stringify(error) ?? '')

export async function errorOf(work: Promise<unknown>): Promise<ForgeError> {
  const error = await work.then(
    (value) => new Error(`it succeeded: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (error instanceof ForgeError) return error
  throw error
}
