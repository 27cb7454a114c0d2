import type Docker from 'dockerode'
import { runtimeSeen, type RuntimeSeen } from '@beadloom/core/isolation/runtime-seen.ts'
import {
  effectiveLimits,
  type EffectiveLimits,
  type LimitName,
} from '@beadloom/core/container-limits/effective-limits.ts'
import { LimitReport } from '@beadloom/core/container-limits/limit-report.ts'
import { EngineError } from '../../ports/engine.ts'
import { containerConfig, type LogDriver } from '../container-config.ts'
import type { ImageId } from '../containers.ts'
import { createContainer } from '../create-container.ts'
import type { DockerClient } from '../docker-client.ts'
import { label } from '../docker-options.ts'
import { effectiveConfig } from '../effective-config.ts'
import type { EngineFacts } from '../engine-info.ts'
import { removeContainer } from '../removal.ts'
import { startContainer } from '../start-container.ts'
import { unshownLimits } from '../weaker.ts'
import { PROBE_PROGRAM } from './probe-program.ts'
import { removeLeft, writtenBy } from './written-by.ts'

/** Less than any container of ours gets, so a limit of the engine's own surroundings is not mistaken for it. */
const LIMITS = { cpus: 1, memoryBytes: 128 * 1024 ** 2, processes: 64 }
const NODE = '/opt/beadloom/bin/node'
/** In the container's own layer, where the engine can read it even after the container has ended. */
const REPORT = '/workspace/.limits.json'

/** The container that looks is like all others, except that it has no link, and no owner but its name. */
export function probeConfig(
  image: ImageId,
  owner: string,
  { logDriver = 'local', runtime = null }: { logDriver?: LogDriver; runtime?: string | null } = {},
) {
  const name = `beadloom-limits-${owner}-${image.replace(/^sha256:/, '').slice(0, 12)}`
  const spec = { ...LIMITS, name, image, network: 'none', linkFolder: '', magic: '' } as const
  const config = containerConfig(
    { ...spec, labels: { execution: '', kind: '' } },
    { ...LIMITS, clamped: [] },
    { instance: owner, caBundle: null, logDriver, runtime },
  )
  return {
    ...config,
    name,
    Entrypoint: [NODE, '-e', `${PROBE_PROGRAM};fs.writeFileSync('${REPORT}', report)`],
    // Not one of the server's containers: it is not adopted, listed or kept.
    Labels: { [label.probe]: owner },
    HostConfig: { ...config.HostConfig, Mounts: [] },
  } satisfies Docker.ContainerCreateOptions
}

/**
 * `acting`: limits seen from within. `unshown`: limits that the engine itself does not show as requested. `lacksIpv6`:
 * the loopback of a container has no ::1 unless that is requested, which is possible. `runtime`: the kernel that it
 * saw; null: it does not say.
 */
export type Probed = {
  acting: EffectiveLimits
  unshown: LimitName[]
  lacksIpv6: boolean
  runtime: RuntimeSeen | null
}

export interface LimitProbe {
  /** An image in which no foreign program can lie about what it sees; null: there is none yet. Never rejects. */
  ownImage(): Promise<ImageId | null>
  /** Throws `EngineError`. */
  look(facts: Pick<EngineFacts, 'isPodman' | 'logDriver' | 'runtime'>, image: ImageId): Promise<Probed>
}

/**
 * @param owner the container's owner; one that it left behind earlier is removed
 * @param asked the runtime that containers are to have; null: the engine's own
 */
export const limitProbe = (
  client: DockerClient,
  owner: string,
  ownImage: () => Promise<ImageId | null>,
  asked: string | null = null,
): LimitProbe => ({
  ownImage: () => ownImage().catch(() => null),

  async look({ isPodman, logDriver, runtime }, image) {
    const config = probeConfig(image, owner, { logDriver, runtime: asked })
    await removeLeft(client, owner, {})
    const { id } = await createContainer(client, config)
    try {
      const unshown = unshownLimits(config, await effectiveConfig(client, id, isPodman))
      await startContainer(client, id)
      const report = await reportOf(client, id)
      return {
        acting: effectiveLimits(report),
        unshown,
        lacksIpv6: report.loopbackIpv6 === '1',
        runtime: report.kernel === undefined ? null : runtimeSeen(report.kernel, runtime.kernel),
      }
    } finally {
      await removeContainer(client, id).catch(() => {}) // the next one removes it
    }
  },
})

async function reportOf(client: DockerClient, id: string): Promise<LimitReport> {
  const file = await writtenBy(client, id, { path: REPORT, looksAt: 'its limits' })
  try {
    return LimitReport.parse(JSON.parse(String(file)))
  } catch (error) {
    throw new EngineError('failed', 'a container that looks at its own limits has not said what it sees', {
      cause: error,
    })
  }
}
