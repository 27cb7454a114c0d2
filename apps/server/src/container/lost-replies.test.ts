// @suite contract-long
import { afterEach, describe, expect, test } from 'vitest'
import type { Containers } from './containers.ts'
import { DockerContainers } from './docker-containers.ts'
import { dockerIsHere, never } from './testing/docker-world.ts'
import { Gate, type Loss } from './testing/gate.ts'
import { useDocker } from './testing/use-docker.ts'

const here = await dockerIsHere(process.env)

/* Docker has done the work, and its answer never arrives. */
describe.skipIf(!here)('a lost answer of real Docker', () => {
  const docker = useDocker()
  const gates: Gate[] = []
  afterEach(async () => {
    for (const gate of gates.splice(0)) await gate.close()
  })
  const behindGate = async (): Promise<{ gate: Gate; engine: Containers }> => {
    const gate = await Gate.before(process.env)
    gates.push(gate)
    return { gate, engine: new DockerContainers({ ...docker.world.options, dockerHost: gate.dockerHost }) }
  }
  const COUNTS = `
    import fs from 'node:fs'
    fs.appendFileSync('/workspace/starts', 'x')
    console.log(fs.readFileSync('/workspace/starts', 'utf8'))`
  const losses: Loss[] = ['answer', 'half of the answer']
  // Only these tests' containers, not the one that checks which limits act.
  const create = /^POST \/containers\/create\?name=in-/
  const start = /^POST \/containers\/\w+\/start/

  test.each(losses)('to create (%s): there is one container, the one that was made', async (loss) => {
    const { gate, engine } = await behindGate()
    gate.lose(create, loss, 2)
    const before = (await docker.world.engine.list()).map(({ id }) => id)
    const { id } = await engine.create(await docker.world.spec(docker.image, ''))
    const made = (await docker.world.engine.list()).filter((one) => !before.includes(one.id))
    expect(made).toMatchObject([{ id, state: 'created' }])
    await engine.remove(id)
  })

  test('to create, and then Docker is away: the next call takes the container of the first', async () => {
    const { gate, engine } = await behindGate()
    const spec = await docker.world.spec(docker.image, '')
    gate.lose(create)
    gate.lose(/^GET \/containers\/in-/)
    await expect(engine.create(spec)).rejects.toMatchObject({ kind: 'unreachable' })
    const left = (await docker.world.engine.list()).map(({ id }) => id)
    const { id } = await engine.create(spec)
    expect(left).toContain(id)
    await engine.remove(id)
  })

  test('to create, and the next call wants other settings: it is made anew', async () => {
    const spec = await docker.world.spec(docker.image, '')
    const { id: first } = await docker.world.engine.create(spec)
    const { id } = await docker.world.engine.create({ ...spec, processes: 128 })
    expect(id).not.toBe(first)
    expect(await docker.world.engine.inspect(first)).toEqual({ state: 'gone' })
    await docker.world.engine.remove(id)
  })

  test('to start: a program runs once, even one that is over before anybody looks', async () => {
    const { gate, engine } = await behindGate()
    const { id } = await engine.create(await docker.world.spec(docker.image, COUNTS))
    for (let times = 0; times < 3; times++) {
      gate.lose(start)
      await engine.start(id)
      await engine.waitForExit(id, never)
    }
    expect((await docker.world.run(id)).stdout.toString().trim()).toBe('xxxx')
    await engine.remove(id)
  })

  test('to stop, kill and remove: it is stopped, and gone', async () => {
    const { gate, engine } = await behindGate()
    const { id } = await engine.create(await docker.world.spec(docker.image, 'setInterval(() => {}, 1000)'))
    await engine.start(id)
    gate.lose(/^POST \/containers\/\w+\/stop/, 'answer', 2)
    await engine.stop(id, 1_000)
    expect(await engine.inspect(id)).toMatchObject({ state: 'exited' })
    gate.lose(/^DELETE /, 'answer', 2)
    await engine.remove(id)
    expect(await engine.inspect(id)).toEqual({ state: 'gone' })
  })

  test.each(losses)('to commit (%s): the image is found by its tag', async (loss) => {
    const { gate, engine } = await behindGate()
    const { id } = await engine.create(await docker.world.spec(docker.image, COUNTS))
    await docker.world.run(id)
    const tag = `beadloom/lost:${docker.world.options.instance}-${losses.indexOf(loss)}`
    gate.lose(/^POST \/commit/, loss)
    const image = await engine.commit(id, tag)
    expect(await engine.findImage(tag)).toBe(image)
    await docker.world.removeImage(tag)
    await engine.remove(id)
  })
})
