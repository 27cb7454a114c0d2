// @suite contract-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../ports/engine.ts'
import { dockerIsHere, DockerWorld, never } from '../testing/docker-world.ts'

const here = await dockerIsHere(process.env)

/** Makes its images differ from those of projects. */
const NODE = 'node 18.20.8\nnpm npm@10.8.2\n'

describe.skipIf(!here)('Toolchains on real Docker', () => {
  let world: DockerWorld
  beforeAll(async () => {
    world = await DockerWorld.open(process.env)
  })
  afterAll(() => world.close())

  async function ensure(official: string | null, installs: string): Promise<{ image: string; lines: string[] }> {
    const lines: string[] = []
    const base = { from: 'toolchains', release: 'bookworm', official, installs } as const
    const image = await world.engine.runtimeImage(base, (line) => lines.push(line), never)
    return { image, lines }
  }

  test('if no registry has the official image, the version is installed, once, and is found first', async () => {
    const official = 'registry.invalid/node:18'
    const first = await ensure(official, NODE)
    const { id } = await world.create(
      first.image,
      `import { execSync } from 'node:child_process'
       console.log(execSync('node --version; npm --version; id -u; touch /opt/toolchains/x 2>&1 || true').toString())`,
    )
    expect((await world.run(id)).stdout.toString()).toMatch(/^v18\.20\.8\n10\.8\.2\n1000\n.*Permission denied/)
    expect(await ensure(official, NODE)).toEqual({ image: first.image, lines: [] })
  })

  test('an unpublished version is replaced by the nearest newer one', async () => {
    const { image } = await ensure(null, 'node 20.99.1\nnpm npm@10\n')
    const program = `import { execSync } from 'node:child_process'; console.log(execSync('node --version').toString())`
    const { id } = await world.create(image, program)
    expect((await world.run(id)).stdout.toString()).toMatch(/^v21\.0\.0\n/)
  })

  test('an official image on the machine is used, and nothing is installed', async () => {
    const runtime = await world.runtimeImage()
    const { lines } = await ensure(runtime, 'debian nothing-is-called-like-this\n')
    expect(lines.join('\n')).not.toContain('installing')
  })

  test("a failed installation is reported with what to do, and in its source's words", async () => {
    const failure = await ensure(null, 'debian nothing-is-called-like-this\n').then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(EngineError)
    const [first, ...more] = (failure as EngineError).message.split('\n')
    expect(failure).toMatchObject({ kind: 'image-build-failed' })
    expect(first).toMatch(/^The toolchains that the project's files ask for could not be installed\. .*"toolchains"/)
    expect(more.join('\n')).toContain('nothing-is-called-like-this')
  })
})
