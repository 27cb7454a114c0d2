import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { dockerIsHere, never, saying } from './testing/docker-world.ts'
import { useDocker } from './testing/use-docker.ts'

const here = await dockerIsHere(process.env)

describe.skipIf(!here)('The end of a container on real Docker', () => {
  const docker = useDocker()

  test('has the exit code of the program', async () => {
    const { id } = await docker.world.create(docker.image, 'process.exit(42)')
    expect((await docker.world.run(id)).exit).toMatchObject({ code: 42, oomKilled: false, lost: false })
    expect(await docker.world.engine.inspect(id)).toMatchObject({ state: 'exited', exit: { code: 42 } })
  })

  test('says when somebody else has killed it, and only then', async () => {
    const { id } = await docker.world.create(docker.image, `console.log('ready'); setInterval(() => {}, 1000)`)
    for (const kill of ['by hand', 'by us'] as const) {
      const output = await docker.world.engine.attach(id)
      await docker.world.engine.start(id)
      await saying(output, 'ready')
      if (kill === 'by us') await docker.world.engine.stop(id, 0)
      else execFileSync('docker', ['kill', id])
      const exit = await docker.world.engine.waitForExit(id, never)
      expect(exit).toMatchObject({ oomKilled: false, lost: false })
      expect(exit.killed ?? false).toBe(kill === 'by hand')
    }
  })

  test('of a child that ran out of memory is the end of the program itself', async () => {
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

  test('comes by SIGTERM for a program that listens', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
    )
    const output = await docker.world.engine.attach(id)
    await docker.world.engine.start(id)
    await saying(output, 'ready')
    await docker.world.engine.stop(id, 30_000)
    expect(await docker.world.engine.waitForExit(id, never)).toMatchObject({ code: 5 })
  })

  test('comes by SIGKILL for one that does not, and for its children', async () => {
    const { id } = await docker.world.create(
      docker.image,
      `import { spawn } from 'node:child_process'
     process.on('SIGTERM', () => {}); spawn('sh', ['-c', 'trap "" TERM; while true; do sleep 1; done'], { detached: true })
     setInterval(() => {}, 1000); console.log('ready')`,
    )
    const output = await docker.world.engine.attach(id)
    await docker.world.engine.start(id)
    await saying(output, 'ready')
    await docker.world.engine.stop(id, 1)
    expect(await docker.world.engine.inspect(id)).toMatchObject({
      state: 'exited',
      exit: { code: 137, oomKilled: false },
    })
    expect(await docker.world.engine.waitForExit(id, never)).toMatchObject({ code: 137, lost: false })
  })

  test('of a container that somebody removes is lost, and waiting for it ends', async () => {
    const { id } = await docker.world.create(docker.image, `setInterval(() => {}, 1000)`)
    await docker.world.engine.start(id)
    const waiting = docker.world.engine.waitForExit(id, never)
    await docker.world.engine.remove(id)
    expect(await waiting).toMatchObject({ lost: true })
  })

  test('is no longer waited for when the signal aborts', async () => {
    const { id } = await docker.world.create(docker.image, `setInterval(() => {}, 1000)`)
    await docker.world.engine.start(id)
    const stopper = new AbortController()
    const waiting = docker.world.engine.waitForExit(id, stopper.signal)
    stopper.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'EngineError' })
    await docker.world.engine.remove(id)
  })
})
