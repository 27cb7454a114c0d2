import { DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'

/* The images that nearly every test on Docker starts from, so that no test waits for them; what is there is not made anew. */

const world = await DockerWorld.open(process.env)
await world.engine.runtimeImage({ from: 'default' }, (line) => console.log(line), new AbortController().signal)
await world.close()
