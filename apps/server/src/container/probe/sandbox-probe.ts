import { probeRows, type ProbeReport } from '@beadloom/core/isolation/probe-rows.ts'
import { EngineError } from '../../ports/engine.ts'
import { clampTo, containerConfig } from '../container-config.ts'
import type { ContainerSpec } from '../containers.ts'
import { createContainer } from '../create-container.ts'
import { DockerClient } from '../docker-client.ts'
import { label, type DockerEngineOptions } from '../docker-options.ts'
import { effectiveConfig } from '../effective-config.ts'
import { readFacts } from '../engine-info.ts'
import { anyImage } from '../limits/limits-check.ts'
import { removeLeft, writtenBy } from '../limits/written-by.ts'
import { removeContainer } from '../removal.ts'
import { startContainer } from '../start-container.ts'
import { unshownLimits, weakerThanAsked } from '../weaker.ts'

type Which = Pick<DockerEngineOptions, 'env' | 'dockerHost' | 'named' | 'runtime' | 'clock'>
type Asked = Pick<ContainerSpec, 'network' | 'cpus' | 'memoryBytes' | 'processes'>

/** In the container's own layer, where the engine can read it when the container has ended. */
const REPORT = '/workspace/.probe'
/** Marks its containers. An interrupted probe leaves one that has exited. */
const OWNER = 'sandbox'
/** The script waits some seconds for each address at which nothing answers. */
const LONGEST_MS = 120_000

/**
 * Finds out what a sandbox can reach, hold and do: the script runs in a container like all others, in place of the
 * supervisor, so nothing answers at the link. Throws `EngineError`.
 *
 * @param script POSIX, that of `docker/sandbox-probe.sh`
 * @param id tells its container from those of other probes at the same time
 */
export async function probeSandbox(
  { runtime = null, ...which }: Which,
  asked: Asked,
  { script, id: own }: { script: string; id: string },
): Promise<ProbeReport> {
  const client = new DockerClient({ ...which, bounds: { callMs: LONGEST_MS } })
  const facts = await readFacts(client, { runtime })
  if (facts.unusable !== null) throw new EngineError('refused', facts.unusable)
  const image = await anyImage(client)
  if (image === null)
    throw new EngineError('image-missing', 'a sandbox needs an image, which the first bead that starts makes')
  const spec = { ...asked, name: `beadloom-probe-${own}`, image, linkFolder: null, magic: '' }
  const { logDriver } = facts
  const config = {
    ...containerConfig({ ...spec, labels: { execution: '', kind: '' } }, clampTo(facts, spec), {
      instance: '',
      caBundle: null,
      logDriver,
      runtime,
    }),
    Entrypoint: ['sh', '-c', `exec > ${REPORT} 2>/dev/null\n${script}`],
    Labels: { [label.probe]: OWNER },
  }
  await removeLeft(client, OWNER, { status: ['exited'] })
  const { id } = await createContainer(client, config)
  try {
    const got = await effectiveConfig(client, id, facts.isPodman)
    // Limits that the engine does not set are lines of the report.
    const weaker = weakerThanAsked(config, got, unshownLimits(config, got))
    if (weaker.length > 0)
      throw new EngineError('weaker-than-asked', `a sandbox would be less confined than asked. ${weaker.join('; ')}`)
    await startContainer(client, id, true)
    const written = await writtenBy(client, id, { path: REPORT, looksAt: 'what it can do' })
    const report = probeRows(String(written ?? ''))
    if (report.rows.length === 0) throw new EngineError('failed', 'the sandbox has not said what it can do')
    return report
  } finally {
    await removeContainer(client, id).catch(() => {}) // the first error matters more
  }
}
