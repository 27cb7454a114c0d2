// @suite podman
import { describe, expect, test } from 'vitest'
import { Podman, podmanIsMissing, type PodmanKind } from '../support/podman.ts'
import { openDocker } from './docker-under-test.ts'
import { engineContract } from './engine-contract.ts'
import { EngineUnderTest } from './engine-under-test.ts'

/** Differences of Podman from Docker, through the same API. */
const lacks = {
  'that are none, or too large, are no bytes of ours': 'it follows a link within the sandbox',
}

describe.each<PodmanKind>(['rootful', 'rootless'])('Podman, %s, by its Docker-compatible socket', async (kind) => {
  const missing = await podmanIsMissing(kind)
  if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
  if (missing !== null) return test.skip(`SKIPPED: ${missing}`)

  let podman: Podman
  /** With cgroup v1 its containers have no limits, so a person has to allow that. */
  const open = (allowUnlimited: boolean) => {
    const env = { ...process.env, DOCKER_HOST: podman.host }
    return openDocker(env, ['podman', '--url', podman.host], { allowUnlimited }, say)
  }
  const say = (line: string) => console.info(`Podman, ${kind}: ${line}`)
  engineContract(async () => {
    podman = await Podman.start(kind, say)
    const { adapter } = await open(true)
    const close = async () => {
      await adapter.close()
      await podman.stop()
    }
    return new EngineUnderTest({ ...adapter, close })
  }, lacks)

  test('refuses a sandbox that it cannot limit, unless a person allows it', async () => {
    const engine = await open(false)
    const opened = await engine.open().catch((error: unknown) => error)
    const { weaker } = await engine.engine.health()
    if (weaker.some((line) => line.startsWith('not limited in containers: memory, ')))
      expect(opened).toMatchObject({ kind: 'weaker-than-asked', message: expect.stringMatching(/--allow-unlimited$/) })
    else expect(opened).not.toBeInstanceOf(Error)
    expect(weaker.some((line) => line.includes('--allow-unlimited'))).toBe(opened instanceof Error)
    await engine.close()
  })
})
