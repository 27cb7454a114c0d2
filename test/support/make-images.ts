import { DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'

/* Builds the images from which nearly every Docker test starts, so that no test waits for them; existing ones stay. */

const world = await DockerWorld.open(process.env)
await world.engine.runtimeImage({ from: 'default' }, (line) => console.log(line), new AbortController().signal)
await world.close()
