import { mkdtempSync, chmodSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { parseInstanceId } from '@beadloom/core/ids.ts'
import { ProcessEngine } from '../support/process-engine/process-engine.ts'
import { ProcessHost, RUNTIME } from '../support/process-engine/process-host.ts'
import { whatIsMissing } from '../support/process-engine/what-is-missing.ts'
import { engineContract } from './engine-contract.ts'
import { EngineUnderTest } from './engine-under-test.ts'

const missing = await whatIsMissing()
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: tests of the process engine. ${missing}`)

describe.skipIf(missing !== null)('The process engine', () => {
  engineContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bl-contract-'))
    chmodSync(folder, 0o755)
    const agent = join(folder, 'agent.mjs')
    writeFileSync(agent, "await import('/run/beadloom/program.mjs')\n")
    const host = await ProcessHost.open({ agent })
    const of = (name: string) => new ProcessEngine(host, parseInstanceId(`in-${name.padEnd(12, '0')}`))
    const again = () => of('contract')
    return new EngineUnderTest({
      engine: again(),
      again,
      foreign: () => of('foreign'),
      image: RUNTIME,
      folder,
      prefix: 'contract',
      kill: async (container) => host.find(container)?.kill(),
      close: async () => {
        await host.close()
        rmSync(folder, { recursive: true, force: true })
      },
    })
  })
})
