import { createHash, randomBytes } from 'node:crypto'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { DockerClient } from '@beadloom/server/src/container/docker-client.ts'
import { tarOf } from '@beadloom/server/src/container/images/image-files.ts'
import { ImageStore } from '@beadloom/server/src/container/images/image-store.ts'
import { dockerIsHere } from '@beadloom/server/src/container/testing/docker-world.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tinyImage } from './tiny-image.ts'

const MIB = 1024 ** 2
const here = await dockerIsHere(process.env)

/** Prints a step's limits from the kernel's own files, in both versions of cgroups, once its processes are limited. */
const look = `
cd /sys/fs/cgroup
[ -d pids ] && pids=pids/pids.max memory=memory/memory.limit_in_bytes || pids=pids.max memory=memory.max
until [ "$(cat $pids)" != max ]; do :; done
echo "processes=$(cat $pids) memory=$(cat $memory) files=$(ulimit -n) links=$(echo /sys/class/net/*)."
`

describe.skipIf(!here)('a build of a repository’s Dockerfile', () => {
  const client = new DockerClient({ env: process.env, clock: systemClock })
  const images = new ImageStore(client)
  let tiny: string
  beforeAll(() => {
    tiny = tinyImage([], 'build-limits')
  })
  const ended: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ended.splice(0)) await end()
  })

  /** The output of a step with this script, which then fails. */
  async function printedBy(script: string): Promise<string> {
    const step = Buffer.from(`# ${randomBytes(8).toString('hex')}\n${script}\nexit 3\n`).toString('latin1')
    const dockerfile = `FROM ${tiny}\nCOPY step.sh /step.sh\nRUN sh /step.sh\n`
    const context = () =>
      tarOf([
        { name: 'Dockerfile', mode: 0o644, text: dockerfile },
        { name: 'step.sh', mode: 0o644, text: step },
      ])
    const tag = `beadloom-test/limits:${createHash('sha256').update(step).digest('hex').slice(0, 16)}`
    const limits = { cpus: 1, memoryBytes: 256 * MIB, processes: 77 }
    const build = { tag, context, dockerfile: 'Dockerfile', args: {}, network: 'none', limits } as const
    const error = await images.build(build, () => {}, new AbortController().signal).catch((reason: unknown) => reason)
    return String(error)
  }

  test('has its project’s limits, and no network if the project wants none', async () => {
    const said = await printedBy(look)
    expect(said).toMatch(new RegExp(`processes=77 memory=${256 * MIB} files=8192 links=/sys/class/net/lo\\.`))
  })

  test('does not limit a container that one of its steps merely names', async () => {
    const created = await client.docker.createContainer({ Image: tiny, Cmd: ['/bin/sh'] })
    ended.push(() => created.remove({ force: true }))
    const said = await printedBy(`echo ' ---> Running in ${created.id.slice(0, 12)}'\n${look}`)
    expect(said).toContain('processes=77')
    expect((await created.inspect()).HostConfig.PidsLimit ?? 0).toBeLessThanOrEqual(0)
  })
})
