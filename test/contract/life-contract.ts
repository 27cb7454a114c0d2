import { expect, test } from 'vitest'
import { EXECUTION, never, type EngineUnderTest } from './engine-under-test.ts'

const GIB = 1024 ** 3
const ENDLESS = `setInterval(() => {}, 1000); console.log('ready')`

/** How containers come, run, end and go, and whose they are. */
export function lifeContract(it: { engine: EngineUnderTest }): void {
  test('an engine that is there says so, and how large it is', async () => {
    const health = await it.engine.engine.health()
    expect(health).toMatchObject({ ok: true, text: expect.stringMatching(/\w/) })
    expect(Math.min(health.cpus, health.memoryBytes)).toBeGreaterThan(0)
  })

  test('limits are clamped to the host, and each clamp is a sentence', async () => {
    const { engine } = it.engine
    const { cpus, memoryBytes } = await engine.health()
    const asked = { cpus: cpus + 2, memoryBytes: Math.ceil(memoryBytes / GIB + 4) * GIB }
    const { id, clamped } = await engine.create(it.engine.spec('', asked))
    expect(clamped).toEqual([
      `asked for ${cpus + 2} CPUs, this host has ${cpus}`,
      `asked for ${asked.memoryBytes / GIB} GiB of memory, this host has ${Math.round((memoryBytes / GIB) * 10) / 10} GiB`,
    ])
    await engine.remove(id)
  })

  test('a name is taken once', async () => {
    const spec = it.engine.spec('')
    const { id } = await it.engine.engine.create(spec)
    await expect(it.engine.engine.create(spec)).rejects.toMatchObject({ name: 'EngineError', kind: 'name-taken' })
    await it.engine.engine.remove(id)
    await it.engine.engine.remove((await it.engine.engine.create(spec)).id)
  })

  test('stopping and removing what is gone is fine', async () => {
    const { engine } = it.engine
    await engine.stop('beadloom-no-such-container', 0)
    await engine.remove('beadloom-no-such-container')
    expect(await engine.inspect('beadloom-no-such-container')).toEqual({ state: 'gone' })
  })

  test('starting, attaching to and committing what is gone is refused', async () => {
    const { engine } = it.engine
    const gone = 'beadloom-no-such-container'
    const works = [() => engine.start(gone), () => engine.attach(gone), () => engine.commit(gone, 'beadloom/none:none')]
    for (const work of works) await expect(work()).rejects.toMatchObject({ name: 'EngineError' })
  })

  test('containers of another server are not listed and not touched', async () => {
    const { engine } = it.engine
    const foreign = it.engine.adapter.foreign()
    const { id } = await foreign.create(it.engine.spec(''))
    expect((await engine.list()).map((container) => container.id)).not.toContain(id)
    await expect(engine.remove(id)).rejects.toThrow(/does not belong to this server/)
    await expect(engine.stop(id, 0)).rejects.toThrow(/does not belong to this server/)
    expect(await foreign.list()).toMatchObject([{ id, execution: EXECUTION, kind: 'work', state: 'created' }])
    await foreign.remove(id)
    expect(await engine.inspect(id)).toEqual({ state: 'gone' })
  })

  test('a server that was started anew finds its containers in every state, with what they are for', async () => {
    const { engine, adapter } = it.engine
    const before = Date.now()
    const created = await it.engine.create('', { labels: { execution: 'ex-1111111111', kind: 'verify' } })
    const running = await it.engine.started(ENDLESS)
    const ended = await it.engine.create('')
    await it.engine.toTheEnd(ended)
    const found = await adapter.again().list()
    const of = (id: string) => found.find((one) => one.id === id)
    expect(of(created)).toMatchObject({ execution: 'ex-1111111111', kind: 'verify', state: 'created' })
    expect(of(running)).toMatchObject({ execution: EXECUTION, kind: 'work', state: 'running' })
    expect(of(ended)).toMatchObject({ state: 'exited' })
    expect(of(created)?.createdAt).toBeGreaterThanOrEqual(before - 2_000) // Docker tells whole seconds
    for (const id of [created, running, ended]) await adapter.again().remove(id)
    expect(await Promise.all([created, running, ended].map((id) => engine.inspect(id)))).toEqual(
      [1, 2, 3].map(() => ({ state: 'gone' })),
    )
  })

  test('an end has the exit code of the program', async () => {
    const id = await it.engine.create('process.exit(42)')
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'created' })
    const { exit } = await it.engine.toTheEnd(id)
    expect(exit).toMatchObject({ code: 42, oomKilled: false, lost: false })
    expect(exit.finishedAt).toBeGreaterThanOrEqual(exit.startedAt)
    expect(exit.startedAt).toBeGreaterThan(0)
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'exited', exit: { code: 42 } })
  })

  test('an end says when somebody else has killed it, and only then', async () => {
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
    }
  })

  test('an end that came while no server was there is told to the next one', async () => {
    const id = await it.engine.started(ENDLESS)
    await it.engine.adapter.kill(id)
    const next = it.engine.adapter.again()
    expect(await next.waitForExit(id, never)).toMatchObject({ code: 137, killed: true, lost: false })
    await next.remove(id)
  })

  test('an end comes by SIGTERM for a program that listens', async () => {
    const id = await it.engine.started(
      `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
    )
    await it.engine.engine.stop(id, 30_000)
    expect(await it.engine.engine.waitForExit(id, never)).toMatchObject({ code: 5 })
  })

  test('an end comes by SIGTERM for a program that has never heard of it', async () => {
    const id = await it.engine.started(ENDLESS)
    await it.engine.engine.stop(id, 30_000)
    expect(await it.engine.engine.inspect(id)).toMatchObject({ state: 'exited', exit: { code: 143, lost: false } })
  })

  test('an end comes by SIGKILL for one that does not listen, and for its children', async () => {
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

  test('an end of a container that somebody removes is lost, and waiting for it ends', async () => {
    const id = await it.engine.started(ENDLESS)
    const waiting = it.engine.engine.waitForExit(id, never)
    await it.engine.engine.remove(id)
    expect(await waiting).toMatchObject({ lost: true })
    expect(await it.engine.engine.waitForExit(id, never)).toMatchObject({ lost: true })
  })

  test('an end is no longer waited for when the signal aborts, and the container goes on', async () => {
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
