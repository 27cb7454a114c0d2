import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseInstanceId } from '@beadloom/core/records/ids.ts'
import { DockerContainers } from '@beadloom/server/src/container/docker-containers.ts'
import { SandboxEngine } from '@beadloom/server/src/container/sandboxes/sandbox-engine.ts'
import type { DockerEngineOptions } from '@beadloom/server/src/container/docker-options.ts'
import { DockerWorld, type Env } from '@beadloom/server/src/container/testing/docker-world.ts'
import { EngineUnderTest, never } from './engine-under-test.ts'
import { linksIn } from './links-under-test.ts'
import { TEST_AGENT } from './test-agent.ts'

const SUPERVISOR = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'supervisor')

/**
 * Docker, or another engine with its API, at the address in `env`.
 *
 * @param client the command with which others on the machine reach it
 * @param say gets a line for each image that is made
 */
export async function openDocker(
  env: Env,
  client: readonly [string, ...string[]],
  changes: Partial<DockerEngineOptions> = {},
  say: (line: string) => void = () => {},
): Promise<EngineUnderTest> {
  const [program, ...first] = client
  const run = async (...args: string[]) => (await promisify(execFile)(program, [...first, ...args])).stdout
  const folder = mkdtempSync(join(tmpdir(), 'bl-docker-'))
  const agentFolder = join(folder, 'agent')
  mkdirSync(agentFolder)
  writeFileSync(join(agentFolder, 'agent.mjs'), TEST_AGENT)
  const world = await DockerWorld.open(env, { agentFolder, supervisorFolder: SUPERVISOR, ...changes })
  const { instance } = world.options
  const foreign = parseInstanceId(instance.replace('tests', 'other'))
  const [ours, theirs] = [linksIn(folder, 'ours'), linksIn(folder, 'theirs')]
  const of = () => new SandboxEngine(new DockerContainers(world.options), ours)
  const environment = await of().prepare({ from: 'default' }, null, { onProgress: say, signal: never })
  const bases = await run('images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}')
  return new EngineUnderTest({
    engine: of(),
    again: () => of(),
    foreign: () => new SandboxEngine(new DockerContainers({ ...world.options, instance: foreign }), theirs),
    environment,
    serviceImage: bases.split('\n')[0] ?? '',
    prefix: instance,
    kill: async (sandbox) => void (await run('kill', sandbox)),
    close: async () => {
      const made = await run('images', '--quiet', '--filter', `reference=beadloom/project-contract:${instance}-*`)
      for (const image of made.split('\n').filter(Boolean)) await run('rmi', '--force', image)
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
