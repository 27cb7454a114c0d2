import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCAL_ENGINE, usualEngineOf } from '@beadloom/core/records/engine-name.ts'
import type { ProbeReport } from '@beadloom/core/isolation/probe-rows.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import {
  configBounds,
  containerLimits,
  parseProjectConfig,
  type ProjectConfig,
} from '@beadloom/core/project/project-config.ts'
import { EngineError } from '../../ports/engine.ts'
import { systemClock } from '../../process/clock.ts'
import { root } from '../../process/own-files.ts'
import { readPlainFile, UnusableFile } from '../../process/plain-file.ts'
import { runtimeOf } from '../../process/settings/engine-settings.ts'
import type { Environment, ServerSettings } from '../../process/settings/settings.ts'
import { CliError } from '../exit-code.ts'

/** The script's path, in the checkout and in a release; anybody can run it elsewhere. */
const PROBE_SCRIPT = join('docker', 'sandbox-probe.sh')

/** Probes a sandbox as this folder's project would get it; without a beadloom.json, a usual one. Throws `CliError`. */
export async function runProbe(settings: ServerSettings, env: Environment, folder: string): Promise<ProbeReport> {
  try {
    const config = await projectIn(folder)
    const { network = 'none', engine } = config
    const name = engine ?? usualEngineOf(settings.engine)
    const how = settings.engines.get(name)
    if (how === undefined && name !== LOCAL_ENGINE) throw new CliError(`config.json names no engine "${name}"`)
    const script = await readFile(join(root, PROBE_SCRIPT), 'utf8')
    const id = String(process.pid)
    // A project with a network gets a container of the Docker that makes the cluster's images.
    if (how !== undefined && 'kubernetes' in how && network !== 'bridge') {
      const { probePod } = await import('../../container/kubernetes/cluster/probe-pod.ts')
      return await probePod(how.kubernetes, containerLimits(config), { script, id, env })
    }
    const { probeSandbox } = await import('../../container/probe/sandbox-probe.ts')
    return await probeSandbox(
      {
        env,
        clock: systemClock,
        runtime: runtimeOf(name, settings),
        ...(how !== undefined && 'docker' in how && { dockerHost: how.docker, named: name }),
      },
      {
        // Named hosts are reached over the link, without any other network.
        network: network === 'bridge' ? 'bridge' : 'none',
        ...containerLimits(config),
      },
      { script, id },
    )
  } catch (error) {
    if (error instanceof EngineError || error instanceof ConfigError) throw new CliError(error.message)
    throw error
  }
}

async function projectIn(folder: string): Promise<ProjectConfig> {
  try {
    // As on a branch: a link is not followed.
    return parseProjectConfig(await readPlainFile(join(folder, 'beadloom.json'), configBounds.bytes, 'no links'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw new CliError('beadloom.json is a symbolic link: only a regular file is read')
    if (error instanceof UnusableFile) throw new CliError(error.message)
    throw error
  }
}
