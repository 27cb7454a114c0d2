// @suite contract
import { describe, expect, test } from 'vitest'
import { dockerIsHere } from './testing/docker-world.ts'
import { useDocker } from './testing/use-docker.ts'

const here = await dockerIsHere(process.env)

describe.skipIf(!here)('The end of a container on real Docker', () => {
  const docker = useDocker()

  test("is the program's own end if a child ran out of memory", async () => {
    const hog = 'const all = []; while (true) all.push(Buffer.alloc(1 << 20, 1))'
    const { id } = await docker.world.create(
      docker.image,
      `import { spawnSync } from 'node:child_process'
     const { signal } = spawnSync(process.execPath, ['-e', ${JSON.stringify(hog)}]); console.log(signal)`,
      { memoryBytes: 192 * 1024 ** 2 },
    )
    const { exit, stdout } = await docker.world.run(id)
    expect(stdout.toString()).toBe('SIGKILL\n')
    expect(exit).toMatchObject({ code: 0, lost: false })
  })

  test('says when memory ran out', async () => {
    const { id } = await docker.world.create(
      docker.image,
      'const all = []; while (true) all.push(Buffer.alloc(1 << 20, 1))',
      {
        memoryBytes: 128 * 1024 ** 2,
      },
    )
    expect((await docker.world.run(id)).exit).toMatchObject({ code: 137, oomKilled: true, lost: false })
  })
})
