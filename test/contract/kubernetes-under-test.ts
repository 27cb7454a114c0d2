import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseInstanceId } from '@beadloom/core/records/ids.ts'
import { DockerContainers } from '@beadloom/server/src/container/docker-containers.ts'
import { KubernetesContainers } from '@beadloom/server/src/container/kubernetes/kubernetes-containers.ts'
import { SandboxEngine } from '@beadloom/server/src/container/sandboxes/sandbox-engine.ts'
import { DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'
import type { KubernetesSettings } from '@beadloom/server/src/process/settings/kubernetes-settings.ts'
import { EngineUnderTest, never } from './engine-under-test.ts'
import { linksIn } from './links-under-test.ts'
import { TEST_AGENT } from './test-agent.ts'

const SUPERVISOR = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'supervisor')

/** @param kill kills a pod's container as somebody on its node does, by its id there */
export async function openKubernetes(
  settings: KubernetesSettings,
  kill: (pod: string) => Promise<void>,
): Promise<EngineUnderTest> {
  const run = async (...args: string[]) => (await promisify(execFile)('docker', args)).stdout
  const folder = mkdtempSync(join(tmpdir(), 'bl-kubernetes-'))
  const agentFolder = join(folder, 'agent')
  mkdirSync(agentFolder)
  writeFileSync(join(agentFolder, 'agent.mjs'), TEST_AGENT)
  const world = await DockerWorld.open(process.env, { agentFolder, supervisorFolder: SUPERVISOR, linkBy: 'exec' })
  const { instance, clock } = world.options
  const of = (name: typeof instance, links: ReturnType<typeof linksIn>) => {
    const docker = { ...world.options, instance: name }
    const builder = new DockerContainers(docker)
    return new SandboxEngine(new KubernetesContainers({ settings, instance: name, clock, builder, docker }), links)
  }
  const [ours, theirs] = [linksIn(folder, 'ours'), linksIn(folder, 'theirs')]
  const again = () => of(instance, ours)
  const foreign = of(parseInstanceId(instance.replace('tests', 'other')), theirs)
  const engine = again()
  return new EngineUnderTest({
    engine,
    again,
    foreign: () => foreign,
    environment: await engine.prepare({ from: 'default' }, null, { onProgress: () => {}, signal: never }),
    serviceImage: '',
    prefix: instance,
    kill: (sandbox) => kill(sandbox.split('/')[1] ?? ''),
    isNarrow: true,
    close: async () => {
      const made = await run('images', '--quiet', '--filter', `reference=beadloom/project-contract:${instance}-*`)
      for (const image of made.split('\n').filter(Boolean)) await run('rmi', '--force', image)
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
