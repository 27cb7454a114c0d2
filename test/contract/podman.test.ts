import { describe } from 'vitest'
import { Podman, podmanIsMissing } from '../support/podman.ts'
import { openDocker } from './docker-under-test.ts'
import { engineContract } from './engine-contract.ts'
import { EngineUnderTest } from './engine-under-test.ts'

const missing = await podmanIsMissing()
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: tests on Podman. ${missing}`)

/** What Podman does not do as Docker does, through the same API. */
const lacks = {
  'read again comes with the times at which it was printed, not those of the reading':
    'its log is stamped with whole seconds',
  'that are none, or too large, are no bytes of ours': 'it follows a link within the sandbox',
}

describe.skipIf(missing !== null)('Podman, rootful, by its Docker-compatible socket', () => {
  engineContract(async () => {
    const podman = await Podman.start()
    const { adapter } = await openDocker({ ...process.env, DOCKER_HOST: podman.host }, ['podman', '--url', podman.host])
    const close = async () => {
      await adapter.close()
      await podman.stop()
    }
    return new EngineUnderTest({ ...adapter, close })
  }, lacks)
})
