import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseInstanceId } from '@beadloom/core/records/ids.ts'
import type { Links } from '@beadloom/server/src/container/sandboxes/links.ts'
import { SandboxEngine } from '@beadloom/server/src/container/sandboxes/sandbox-engine.ts'
import { ProcessEngine } from '../support/process-engine/process-engine.ts'
import { ProcessHost, RUNTIME } from '../support/process-engine/process-host.ts'
import { whatIsMissing } from '../support/process-engine/what-is-missing.ts'
import { EngineUnderTest } from './engine-under-test.ts'
import { linksIn } from './links-under-test.ts'
import { TEST_AGENT } from './test-agent.ts'

const missing = await whatIsMissing()
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: tests of the process engine. ${missing}`)

export const hasProcesses = missing === null

export async function openProcesses(): Promise<EngineUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'bl-contract-'))
  const agent = join(folder, 'agent')
  mkdirSync(agent)
  writeFileSync(join(agent, 'agent.mjs'), TEST_AGENT)
  const [ours, theirs] = [linksIn(folder, 'ours'), linksIn(folder, 'theirs')]
  const host = await ProcessHost.open({ agent })
  const of = (name: string, links: Links) =>
    new SandboxEngine(new ProcessEngine(host, parseInstanceId(`in-${name.padEnd(12, '0')}`)), links)
  const again = () => of('contract', ours)
  return new EngineUnderTest({
    engine: again(),
    again,
    foreign: () => of('foreign', theirs),
    environment: RUNTIME,
    serviceImage: RUNTIME,
    prefix: 'contract',
    kill: async (sandbox) => host.find(sandbox)?.kill(),
    close: async () => {
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
