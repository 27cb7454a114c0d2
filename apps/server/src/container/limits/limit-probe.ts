import type Docker from 'dockerode'
import { runtimeSeen, type RuntimeSeen } from '@beadloom/core/isolation/runtime-seen.ts'
import { effectiveLimits, type EffectiveLimits, type LimitName } from '@beadloom/core/limits/effective-limits.ts'
import { LimitReport } from '@beadloom/core/limits/limit-report.ts'
import { EngineError } from '../../ports/engine.ts'
import { containerConfig, type LogDriver } from '../container-config.ts'
import type { ImageId } from '../containers.ts'
import { createContainer } from '../create-container.ts'
import type { DockerClient } from '../docker-client.ts'
import { label } from '../docker-options.ts'
import { effectiveConfig } from '../effective-config.ts'
import type { EngineFacts } from '../engine-info.ts'
import { removeContainer } from '../removal.ts'
import { firstFileIn } from '../sandboxes/first-file.ts'
import { startContainer } from '../start-container.ts'
import { unshownLimits } from '../weaker.ts'
import { PROBE_PROGRAM } from './probe-program.ts'

/** Less than any container of ours gets, so that a limit of what the engine itself is in is not taken for it. */
const LIMITS = { cpus: 1, memoryBytes: 128 * 1024 ** 2, processes: 64 }
const NODE = '/opt/beadloom/bin/node'
/** In the container's own layer, where the engine can read it also when the container has ended. */
const REPORT = '/workspace/.limits.json'
/** A report has some kilobytes. */
const MOST_BYTES = 1024 ** 2

/** The container that looks is like all others, but it has no link, and no owner but its name. */
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
    // Not one of the server's containers: nobody adopts it, lists it or keeps it.
    Labels: { [label.probe]: owner },
    HostConfig: { ...config.HostConfig, Mounts: [] },
  } satisfies Docker.ContainerCreateOptions
}

/**
 * `acting`: what was seen from within. `unshown`: what the engine itself does not show as it was asked for. `lacksIpv6`: the
 * loopback of a container has no ::1 unless it is asked for, and it can be. `runtime`: whose kernel it was, null if it does not
 * say.
 */
export type Probed = {
  acting: EffectiveLimits
  unshown: LimitName[]
  lacksIpv6: boolean
  runtime: RuntimeSeen | null
}

export interface LimitProbe {
  /** An image in which nobody else's program can lie about what it sees; null: there is none yet. Never rejects. */
  ownImage(): Promise<ImageId | null>
  /** Throws `EngineError`. */
  look(facts: Pick<EngineFacts, 'isPodman' | 'logDriver' | 'runtime'>, image: ImageId): Promise<Probed>
}

/**
 * @param owner of the container; one that it left behind earlier is removed
 * @param asked the runtime that containers are asked to have; null: the engine's own
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
    await removeLeft(client, owner)
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

/** Those of ours whose server was killed meanwhile, of this image or of one that it had before. */
async function removeLeft(client: DockerClient, owner: string): Promise<void> {
  const filters = { label: [`${label.probe}=${owner}`] }
  const left = await client.call('list the containers that looked at their limits', (abortSignal) =>
    client.docker.listContainers({ all: true, filters, abortSignal }),
  )
  for (const { Id } of left) await removeContainer(client, Id)
}

/** Waits no longer for its end than for anything that an engine is asked for: it takes a fraction of a second. */
async function reportOf(client: DockerClient, id: string): Promise<LimitReport> {
  const path = `/containers/${id}`
  const wait = client.call('wait for the container that looks at its limits', (signal) =>
    client.request({ method: 'POST', path: `${path}/wait`, signal }),
  )
  await wait.catch((error: unknown) => {
    // A silent container is no silent engine.
    throw isTimedOut(error) ? new EngineError('failed', 'a container that looks at its limits does not end') : error
  })
  const file = await client.call('read what a container says of its limits', async (signal) =>
    firstFileIn(
      await client.stream({ method: 'GET', path: `${path}/archive`, query: { path: REPORT }, signal }),
      REPORT,
      MOST_BYTES,
    ),
  )
  try {
    return LimitReport.parse(JSON.parse(String(file)))
  } catch (error) {
    throw new EngineError('failed', 'a container that looks at its own limits has not said what it sees', {
      cause: error,
    })
  }
}

const isTimedOut = (error: unknown): boolean => error instanceof EngineError && error.kind === 'timed-out'
