import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DockerEngine } from '../docker-engine.ts'
import { dockerIsHere, collect } from '../testing/docker-world.ts'
import { useDocker } from '../testing/use-docker.ts'
import { Gate } from '../testing/gate.ts'

const here = await dockerIsHere(process.env)

describe.skipIf(!here)('Output of a container on real Docker', () => {
  const docker = useDocker()

  test('is complete from the first byte, exact for every byte value, streams apart', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
     process.stdout.write(Buffer.concat([bytes, bytes])); process.stderr.write(Buffer.from(bytes).reverse()); process.stdout.write('no newline')`,
    )
    const { stdout, stderr } = await docker.world.run(id)
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
    expect(stdout.equals(Buffer.concat([all, all, Buffer.from('no newline')]))).toBe(true)
    expect(stderr.equals(Buffer.from(all).reverse())).toBe(true)
  })

  test('of 20 MB arrives byte for byte', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `import { createHash } from 'node:crypto'
     for (let i = 0; i < 320; i++) process.stdout.write(createHash('shake256', { outputLength: 65536 }).update(String(i)).digest())`,
    )
    const { stdout } = await docker.world.run(id)
    const expected = createHash('sha256')
    for (let i = 0; i < 320; i++)
      expected.update(createHash('shake256', { outputLength: 65_536 }).update(String(i)).digest())
    expect(stdout).toHaveLength(320 * 65_536)
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(expected.digest('hex'))
  })

  test('of a second start of the same container is that start’s alone, and the workspace is kept', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `import fs from 'node:fs'
     fs.appendFileSync('/workspace/starts', 'x'); console.log(fs.readFileSync('/workspace/starts', 'utf8'))`,
    )
    expect((await docker.world.run(id)).stdout.toString()).toBe('x\n')
    expect((await docker.world.run(id)).stdout.toString()).toBe('xx\n')
  })

  const chatty = `import { createHash } from 'node:crypto'
     const noise = (i) => createHash('shake256', { outputLength: 1 + (i * 7919) % 9000 }).update(String(i)).digest()
     for (let i = 0; i < 400; i++) {
       process.stdout.write(noise(i)); process.stderr.write('line ' + i + '\\n\\n')
       if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 250))
     }
     process.stdout.write('x'.repeat(70_000)); process.stderr.write('no newline')`

  test('is in Docker’s log byte for byte: while it comes, and when all is over', async () => {
    const { id } = await docker.world.create(docker.image, chatty)
    const attached = collect(await docker.world.engine.attach(id))
    await docker.world.engine.start(id)
    const followed = collect(await docker.world.engine.resumeOutput(id))
    const whole = await attached
    expect(await followed).toEqual(whole)
    expect(await collect(await docker.world.engine.resumeOutput(id))).toEqual(whole)
  })

  test('read again comes with the times at which it was printed, not those of the reading', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `process.stdout.write('one\\n'); await new Promise((resolve) => setTimeout(resolve, 1500)); process.stderr.write('2 '.repeat(20_000))`,
    )
    await docker.world.run(id)
    const ended = await docker.world.engine.inspect(id)
    const times = { stdout: [] as unknown[], stderr: [] as unknown[] }
    for await (const { stream, at } of await docker.world.engine.resumeOutput(id)) times[stream].push(at)
    const [first, second] = [Number(times.stdout[0]), Number(times.stderr[0])]
    expect(ended).toMatchObject({ state: 'exited' })
    expect(second - first).toBeGreaterThanOrEqual(1400)
    const exit = ended.state === 'exited' ? ended.exit : null
    expect(first).toBeGreaterThanOrEqual(exit?.startedAt ?? Infinity)
    expect(times.stderr.length).toBeGreaterThan(1) // a long line comes in pieces of 16 KiB, with one time
    expect(new Set(times.stderr)).toEqual(new Set([second]))
  })

  test('read again is that of the last start alone, however quickly it followed', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `import fs from 'node:fs'
     fs.appendFileSync('/workspace/starts', 'x'); process.stdout.write(fs.readFileSync('/workspace/starts', 'utf8') + '\\n')`,
    )
    for (const starts of ['x', 'xx', 'xxx', 'xxxx']) {
      expect((await docker.world.run(id)).stdout.toString()).toBe(`${starts}\n`)
      expect((await collect(await docker.world.engine.resumeOutput(id))).stdout.toString()).toBe(`${starts}\n`)
    }
  })

  test('goes on where it broke off when the connection to Docker breaks, again and again', async () => {
    const gate = await Gate.before(process.env)
    const other = new DockerEngine({ ...docker.world.options, dockerHost: gate.dockerHost })
    const { id } = await docker.world.create(docker.image, chatty)
    const output = await other.attach(id)
    const reference = collect(await docker.world.engine.attach(id))
    await other.start(id)
    const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let frames = 0
    for await (const { stream, bytes } of output) {
      parts[stream].push(bytes)
      // The first cut has to come long before the program's end, however slowly this is read.
      if ([10, 110, 210].includes(++frames)) gate.cut()
    }
    await gate.close()
    const whole = await reference
    expect(Buffer.concat(parts.stderr).equals(whole.stderr)).toBe(true)
    expect(Buffer.concat(parts.stdout).equals(whole.stdout)).toBe(true)
    expect(gate.cuts).toBe(4)
  })

  test('ends when it is closed', async () => {
    const { id } = await docker.world.create(docker.image, `console.log('up'); setInterval(() => {}, 1000)`)
    const output = await docker.world.engine.attach(id)
    await docker.world.engine.start(id)
    let seen = ''
    for await (const { bytes } of output) {
      seen += bytes.toString()
      output.close()
    }
    expect(seen).toBe('up\n')
    await docker.world.engine.remove(id)
  })

  test('output after the exit is still delivered to a slow reader', async () => {
    const { id } = await docker.world.create(docker.image, `process.stdout.write('a'.repeat(300_000))`)
    const output = await docker.world.engine.attach(id)
    await docker.world.engine.start(id)
    await expect.poll(() => docker.world.engine.inspect(id), { timeout: 20_000 }).toMatchObject({ state: 'exited' })
    expect((await collect(output)).stdout).toHaveLength(300_000)
  })
})
