import { expect, test } from 'vitest'
import { ENDLESS, never, type EngineUnderTest } from './engine-under-test.ts'

/** How the program of a container ends, and what is told of that. */
export function endContract(it: { engine: EngineUnderTest }): void {
  test('has the exit code of the program', async () => {
    const id = await it.engine.create('process.exit(42)')
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'created' })
    const { exit } = await it.engine.toTheEnd(id)
    expect(exit).toMatchObject({ code: 42, oomKilled: false, lost: false })
    expect(exit.finishedAt).toBeGreaterThanOrEqual(exit.startedAt)
    expect(exit.startedAt).toBeGreaterThan(0)
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'exited', exit: { code: 42 } })
  })

  test('says when somebody else has killed it, and only then', async () => {
    const { engine, adapter } = it.engine
    const id = await it.engine.create(ENDLESS)
    for (const kill of ['by hand', 'by us'] as const) {
      await it.engine.startAgain(id)
      if (kill === 'by us') await engine.stop(id, 0)
      else await adapter.kill(id)
      const exit = await engine.waitForExit(id, never)
      expect(exit).toMatchObject({ oomKilled: false, lost: false })
      expect([137, 143]).toContain(exit.code) // SIGTERM may be faster than the SIGKILL behind it
      expect(exit.killed ?? false).toBe(kill === 'by hand')
      expect(exit.outside ?? false).toBe(kill === 'by hand')
    }
  })

  test('that came while no server was there is told to the next one', async () => {
    const id = await it.engine.started(ENDLESS)
    await it.engine.adapter.kill(id)
    const next = it.engine.adapter.again()
    expect(await next.waitForExit(id, never)).toMatchObject({ code: 137, killed: true, lost: false })
    await next.remove(id)
  })

  test('comes by SIGTERM for a program that listens', async () => {
    const id = await it.engine.started(
      `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
    )
    await it.engine.engine.stop(id, 30_000)
    expect(await it.engine.engine.waitForExit(id, never)).toMatchObject({ code: 5 })
  })

  test('comes by SIGTERM for a program that has never heard of it', async () => {
    const id = await it.engine.started(ENDLESS)
    await it.engine.engine.stop(id, 30_000)
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'exited', exit: { code: 143, lost: false } })
  })

  test('comes by SIGKILL for one that does not, and for its children', async () => {
    const { engine } = it.engine
    const spec = it.engine.spec(
      `import { spawn } from 'node:child_process'
       import { connect } from 'node:net'
       process.on('SIGTERM', () => {})
       const child = "trap '' TERM; echo ready; while true; do sleep 1; done"
       spawn('sh', ['-c', child], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
       setInterval(() => {}, 1000)`,
    )
    const { id } = await engine.create(spec)
    await it.engine.startAgain(id)
    const output = collectUntilEnd(await engine.resumeOutput(id))
    await engine.stop(id, 1)
    expect(await engine.inspect(id)).toMatchObject({ state: 'exited', exit: { code: 137, oomKilled: false } })
    expect(await engine.waitForExit(id, never)).toMatchObject({ code: 137, lost: false })
    await output // which the child held open
  })

  test('of a container that somebody removes is lost, and waiting for it ends', async () => {
    const id = await it.engine.started(ENDLESS)
    const waiting = it.engine.engine.waitForExit(id, never)
    await it.engine.engine.remove(id)
    expect(await waiting).toMatchObject({ lost: true })
    expect(await it.engine.engine.waitForExit(id, never)).toMatchObject({ lost: true })
  })

  test('is no longer waited for when the signal aborts', async () => {
    const id = await it.engine.started(ENDLESS)
    const stopper = new AbortController()
    const waiting = it.engine.engine.waitForExit(id, stopper.signal)
    stopper.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'EngineError', kind: 'refused' })
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'running' })
    await it.engine.engine.remove(id)
  })
}

async function collectUntilEnd(frames: AsyncIterable<unknown>): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}
