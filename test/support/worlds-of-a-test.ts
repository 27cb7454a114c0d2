import { afterEach } from 'vitest'
import { World } from './world.ts'

/** Starts worlds on processes. The worlds of a test are stopped after it, the newest one first. */
export function worldsOfATest(): (options?: Parameters<typeof World.start>[0]) => Promise<World> {
  let worlds: World[] = []
  afterEach(async () => {
    for (const world of worlds.toReversed()) await world.stop()
    worlds = []
  })
  return async (options) => {
    const world = await World.start({ engine: 'process', ...options })
    worlds.push(world)
    return world
  }
}
