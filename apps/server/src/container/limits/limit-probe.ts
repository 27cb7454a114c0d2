import type Docker from 'dockerode'
import { effectiveLimits, type EffectiveLimits, type LimitName } from '@beadloom/core/limits/effective-limits.ts'
import { LimitReport } from '@beadloom/core/limits/limit-report.ts'
import { EngineError } from '../../ports/engine.ts'
import { AGENT_NODE, containerConfig, type LogDriver } from '../container-config.ts'
import { inspectContainer } from '../container-state.ts'
import type { ImageId } from '../containers.ts'
import { createContainer } from '../create-container.ts'
import type { DockerClient } from '../docker-client.ts'
import { label } from '../docker-options.ts'
import { effectiveConfig } from '../effective-config.ts'
import type { EngineFacts } from '../engine-info.ts'
import { attachTo } from '../output/container-output.ts'
import { removeContainer } from '../removal.ts'
import { startContainer } from '../start-container.ts'
import { unshownLimits } from '../weaker.ts'
import { PROBE_PROGRAM } from './probe-program.ts'

/** Less than any container of ours gets, so that a limit of what the engine itself is in is not taken for it. */
const LIMITS = { cpus: 1, memoryBytes: 128 * 1024 ** 2, processes: 64 }
/** It takes well below a second. An engine that is so slow has other troubles. */
const LIMIT_MS = 15_000
/** A report has some kilobytes; an image of somebody else may print whatever it likes. */
const MOST_BYTES = 1024 ** 2

/** The container that looks is like all others, but it has no link, and no owner but its name. */
export function probeConfig(image: ImageId, owner: string, logDriver: LogDriver = 'local') {
  const spec = { ...LIMITS, name: `beadloom-limits-${owner}`, image, network: 'none', linkFolder: '' } as const
  const config = containerConfig(
    { ...spec, labels: { execution: '', kind: '' } },
    { ...LIMITS, clamped: [] },
    { instance: owner, caBundle: null, logDriver },
  )
  return {
    ...config,
    name: spec.name,
    Entrypoint: [AGENT_NODE, '-e', PROBE_PROGRAM],
    // Not one of the server's containers: nobody adopts it, lists it or keeps it.
    Labels: { [label.probe]: owner },
    HostConfig: { ...config.HostConfig, Mounts: [] },
  } satisfies Docker.ContainerCreateOptions
}

/** `acting`: what was seen from within. `unshown`: what the engine itself does not show as it was asked for. */
export type Probed = { acting: EffectiveLimits; unshown: LimitName[] }

export interface LimitProbe {
  /** Any image that containers start from; it makes no difference which. Null: there is none yet. Never rejects. */
  anyImage(): Promise<ImageId | null>
  /** Throws `EngineError`. */
  look(facts: Pick<EngineFacts, 'isPodman' | 'logDriver'>, image: ImageId): Promise<Probed>
}

/** @param owner of the container; one that it left behind earlier is removed */
export const limitProbe = (client: DockerClient, owner: string): LimitProbe => ({
  async anyImage() {
    try {
      const filters = JSON.stringify({ label: ['beadloom.image=runtime'] })
      const found = await client.call('list images', (signal) =>
        client.request({ method: 'GET', path: '/images/json', query: { filters }, signal }),
      )
      return (found as { Id: string }[])[0]?.Id ?? null
    } catch {
      return null
    }
  },

  async look({ isPodman, logDriver }, image) {
    const config = probeConfig(image, owner, logDriver)
    await removeLeft(client, config)
    const { id } = await createContainer(client, config)
    try {
      const unshown = unshownLimits(config, await effectiveConfig(client, id, isPodman))
      return { acting: effectiveLimits(reportIn(await outputOf(client, id))), unshown }
    } finally {
      await removeContainer(client, id).catch(() => {}) // the next one removes it
    }
  },
})

/** One of ours whose server was killed meanwhile. */
async function removeLeft(client: DockerClient, { name, Labels }: ReturnType<typeof probeConfig>): Promise<void> {
  const there = await inspectContainer(client, name)
  if (there?.Config.Labels?.[label.probe] === Labels[label.probe]) await removeContainer(client, name)
}

async function outputOf(client: DockerClient, id: string): Promise<string> {
  const output = await attachTo(client, id, () => true)
  const done = new AbortController()
  const late = client.clock.sleep(LIMIT_MS, done.signal).then(() => output.close())
  const parts: Buffer[] = []
  let bytes = 0
  try {
    await startContainer(client, id)
    for await (const frame of output) {
      bytes += frame.bytes.length
      if (bytes > MOST_BYTES) break
      if (frame.stream === 'stdout') parts.push(frame.bytes)
    }
    return Buffer.concat(parts).toString()
  } finally {
    output.close()
    done.abort()
    await late
  }
}

function reportIn(text: string): LimitReport {
  try {
    return LimitReport.parse(JSON.parse(text))
  } catch (error) {
    throw new EngineError('failed', 'a container that looks at its own limits has not said what it sees', {
      cause: error,
    })
  }
}
