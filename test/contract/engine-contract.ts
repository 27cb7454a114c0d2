import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endContract } from './end-contract.ts'
import type { EngineUnderTest } from './engine-under-test.ts'
import { environmentContract } from './environment-contract.ts'
import { fileContract } from './file-contract.ts'
import { lifeContract } from './life-contract.ts'
import { outputContract } from './output-contract.ts'
import { renameContract } from './rename-contract.ts'
import { serviceContract } from './service-contract.ts'
import { reachContract } from './reach-contract.ts'

/** `promise` is a test of the contract. */
export type Contract = { it: { engine: EngineUnderTest }; promise: (name: string, keeps: () => Promise<void>) => void }

const parts = {
  sandboxes: lifeContract,
  'the end of a session': endContract,
  output: outputContract,
  files: fileContract,
  environments: environmentContract,
  'folders of the workspace': renameContract,
  'what a session reaches': reachContract,
  'a service': serviceContract,
}
type Part = keyof typeof parts

/** Half of the slow parts. If two workers share the contract, these have one file and the rest the other. */
export const ofOutput: readonly Part[] = ['output', 'folders of the workspace']
const all = Object.keys(parts) as Part[]
export const besidesOutput: readonly Part[] = all.filter((part) => !ofOutput.includes(part))
/** Two files of about the same length: a file is one worker's. */
export const ofSandboxes: readonly Part[] = ['sandboxes', 'environments', 'what a session reaches']
export const ofSessions: readonly Part[] = besidesOutput.filter((part) => !ofSandboxes.includes(part))

/**
 * The promises of `Engine` (apps/server/src/ports/engine.ts and sandbox.ts), as tests that every adapter must pass.
 * `open` gives them an adapter, with everything that they need around it. An adapter's own behaviour (Docker's broken
 * connections, the content of its images) is tested beside the adapter.
 *
 * @param lacks promises that the adapter does not keep, each with the reason. They are tested too, and fail once the
 *   adapter keeps them: then remove the line.
 * @param only the parts to test: by default all
 */
export function engineContract(
  open: () => Promise<EngineUnderTest>,
  lacks: Readonly<Record<string, string>> = {},
  only: readonly Part[] = all,
): void {
  const it = {} as { engine: EngineUnderTest }
  const unknown = new Set(Object.keys(lacks))
  const promise: Contract['promise'] = (name, keeps) => {
    const why = lacks[name]
    unknown.delete(name)
    if (why === undefined) test(name, keeps)
    else test.fails(`${name} [lacking: ${why}]`, keeps)
  }
  const contract = { it, promise }
  beforeAll(async () => {
    it.engine = await open() // Docker's adapter makes the base image on the first run
  }, 600_000)
  afterEach(() => it.engine?.makeRoom())
  afterAll(() => it.engine?.close())

  for (const part of only) describe(part, () => parts[part](contract))
  test('every lacking capability was announced', () => expect([...unknown]).toEqual([]))
}
