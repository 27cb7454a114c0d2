import { afterAll, beforeAll } from 'vitest'
import type { ImageId } from '../containers.ts'
import { DockerWorld } from './docker-world.ts'

/** A world with the runtime's image for the tests of one `describe`; both are there when its first test begins. */
export function useDocker(): { world: DockerWorld; image: ImageId } {
  const docker = {} as { world: DockerWorld; image: ImageId }
  beforeAll(async () => {
    docker.world = await DockerWorld.open(process.env)
    docker.image = await docker.world.runtimeImage() // builds the base image the first time
  }, 600_000)
  afterAll(() => docker.world.close())
  return docker
}
