import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe } from 'vitest'
import { parseInstanceId } from '@beadloom/core/ids.ts'
import { DockerEngine } from '@beadloom/server/src/container/docker-engine.ts'
import { dockerIsHere, DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'
import { engineContract } from './engine-contract.ts'
import { EngineUnderTest } from './engine-under-test.ts'

describe.skipIf(!(await dockerIsHere(process.env)))('Docker', () => {
  engineContract(async () => {
    const world = await DockerWorld.open(process.env)
    const { instance } = world.options
    const foreign = parseInstanceId(instance.replace('tests', 'other'))
    const tags = () => ['images', '--quiet', '--filter', `reference=beadloom/contract:${instance}-*`]
    return new EngineUnderTest({
      engine: world.engine,
      again: () => new DockerEngine(world.options),
      foreign: () => new DockerEngine({ ...world.options, instance: foreign }),
      image: await world.runtimeImage(),
      folder: world.folder,
      prefix: instance,
      kill: async (container) => void (await docker('kill', container)),
      close: async () => {
        const made = (await docker(...tags())).split('\n').filter(Boolean)
        if (made.length > 0) await docker('rmi', '--force', ...made)
        await world.close()
      },
    })
  })
})

const docker = async (...args: string[]): Promise<string> => (await promisify(execFile)('docker', args)).stdout
