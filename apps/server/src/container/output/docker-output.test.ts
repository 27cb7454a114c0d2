import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DockerContainers } from '../docker-containers.ts'
import { dockerIsHere, collect } from '../testing/docker-world.ts'
import { useDocker } from '../testing/use-docker.ts'
import { Gate } from '../testing/gate.ts'

const here = await dockerIsHere(process.env)

describe.skipIf(!here)('Output of a container on real Docker', () => {
  const docker = useDocker()

  // Every part begins when its file is there, so that a cut comes between what was read and what is still to come.
  const chatty = `
     import { createHash } from 'node:crypto'
     import { existsSync } from 'node:fs'
     const noise = (i) => createHash('shake256', { outputLength: 1 + (i * 7919) % 9000 }).update(String(i)).digest()
     for (let part = 0; part < 4; part++) {
       while (part > 0 && !existsSync('/run/beadloom/part-' + part)) await new Promise((resolve) => setTimeout(resolve, 10))
       process.stderr.write('part ' + part + '\\n')
       for (let i = part * 100; i < part * 100 + 100; i++) {
         process.stdout.write(noise(i)); process.stderr.write('line ' + i + '\\n\\n')
       }
     }
     process.stdout.write('x'.repeat(70_000)); process.stderr.write('no newline')`

  test('goes on where it broke off when the connection to Docker breaks, again and again', async () => {
    const gate = await Gate.before(process.env)
    const other = new DockerContainers({ ...docker.world.options, dockerHost: gate.dockerHost })
    const spec = await docker.world.spec(docker.image, chatty)
    const { id } = await docker.world.engine.create(spec)
    const output = await other.attach(id)
    const reference = collect(await docker.world.engine.attach(id))
    await other.start(id)
    const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let begun = 0
    for await (const { stream, bytes } of output) {
      parts[stream].push(bytes)
      if (stream === 'stdout' || begun === 3) continue
      if (!Buffer.concat(parts.stderr).includes(`part ${begun}\n`)) continue
      gate.cut()
      writeFileSync(join(spec.linkFolder, `part-${++begun}`), '')
    }
    await gate.close()
    const whole = await reference
    expect(Buffer.concat(parts.stderr).equals(whole.stderr)).toBe(true)
    expect(Buffer.concat(parts.stdout).equals(whole.stdout)).toBe(true)
    expect(gate.cuts).toBe(4)
  })

  test('a long line that is read again comes in pieces, all with the time of the line', async () => {
    const { id } = await docker.world.create(docker.image, `process.stderr.write('2 '.repeat(20_000))`)
    await docker.world.run(id)
    const times: (number | undefined)[] = []
    for await (const { at } of await docker.world.engine.resumeOutput(id)) times.push(at)
    expect(times.length).toBeGreaterThan(1) // Docker cuts at 16 KiB
    expect(new Set(times).size).toBe(1)
  })
})
