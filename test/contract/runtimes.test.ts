// @suite remote
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'
import { PrivateDocker } from '../crash/private-docker.ts'

const missing = process.getuid?.() === 0 ? null : 'an engine of its own wants root'
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: tests on an engine with several runtimes. ${missing}`)

const { DOCKER_HOST: _, DOCKER_CONTEXT: __, DOCKER_CERT_PATH: ___, DOCKER_TLS_VERIFY: ____, ...plain } = process.env

/* A real dockerd with the real runc under two more names: one that promises nothing, and one that promises gVisor. */
describe.skipIf(missing !== null)('an engine with several runtimes', () => {
  const runc = execFileSync('sh', ['-c', 'command -v runc'], { encoding: 'utf8' }).trim()
  const opened: DockerWorld[] = []
  let engine: PrivateDocker

  beforeAll(async () => {
    engine = await PrivateDocker.start({ liveRestore: false, runtimes: { other: runc, runsc: runc } })
  }, 600_000)
  afterAll(async () => {
    for (const world of opened) await world.close()
    await engine?.remove()
  })

  async function on(runtime: string | null): Promise<DockerWorld> {
    const world = await DockerWorld.open({ ...plain, DOCKER_HOST: engine.host }, { runtime })
    opened.push(world)
    return world
  }
  const runtimesOf = (...containers: string[]) =>
    execFileSync('docker', ['-H', engine.host, 'inspect', '--format', '{{.HostConfig.Runtime}}', ...containers], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n')

  test('runs sandboxes and services with the runtime that is asked for, and says so', async () => {
    const world = await on('other')
    const image = await world.runtimeImage()
    const sandbox = await world.create(image, "console.log('it runs')")
    const { stdout, exit } = await world.run(sandbox.id)
    expect({ said: String(stdout), code: exit.code }).toEqual({ said: 'it runs\n', code: 0 })
    const limits = { cpus: 1, memoryBytes: 256 * 1024 ** 2, processes: 64 }
    const beside = { name: `${world.options.instance}-service`, image, owner: null, env: {}, command: ['true'] }
    const service = await world.engine.createService({ ...beside, ...limits }, sandbox.id)
    expect(runtimesOf(sandbox.id, service.id)).toEqual(['other', 'other'])
    const { ok, text } = await world.engine.health()
    expect({ ok, text }).toEqual({
      ok: true,
      text: expect.stringContaining("; runtime other: their host's kernel, no user namespace"),
    })
  })

  test('uses its own default when no runtime is asked for', async () => {
    const world = await on(null)
    const { id } = await world.create(await world.runtimeImage(), '')
    expect(runtimesOf(id)).toEqual(['runc'])
    expect((await world.engine.health()).text).toContain('; runtime runc: ')
  })

  test('starts nothing with a runtime that it lacks, and starts once it has it', async () => {
    const world = await on('late')
    const has = /has no runtime "late".* It has: .*other, runc, runsc\. .*"runtimes" in \/etc\/docker\/daemon\.json/
    expect(await world.engine.health()).toMatchObject({ ok: false, text: expect.stringMatching(has) })
    const image = await world.runtimeImage()
    await expect(world.create(image, '')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(has),
    })
    expect(await world.engine.list()).toEqual([])
    await engine.addRuntime('late', runc)
    const { id } = await world.create(image, '')
    expect(runtimesOf(id)).toEqual(['late'])
  })

  test("starts nothing with a runtime that is called like gVisor but shares the host's kernel", async () => {
    const world = await on('runsc')
    const broken = /containers of the runtime runsc have to have a kernel of their own, and see their host's kernel/
    await expect(world.create(await world.runtimeImage(), '')).rejects.toMatchObject({
      kind: 'weaker-than-asked',
      message: expect.stringMatching(broken),
    })
    expect(await world.engine.list()).toEqual([])
    expect((await world.engine.health()).weaker).toContainEqual(expect.stringMatching(broken))
  })
})
