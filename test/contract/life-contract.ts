import { expect, test } from 'vitest'
import { ENDLESS, EXECUTION, type EngineUnderTest } from './engine-under-test.ts'

const GIB = 1024 ** 3

/** How containers come and go, and whose they are. */
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

  test('a name is taken once: what was made for it and never started is used, or made anew for other settings', async () => {
    const { engine, adapter } = it.engine
    const spec = it.engine.spec('')
    const { id } = await engine.create(spec)
    expect((await adapter.again().create(spec)).id).toBe(id)
    const { id: other } = await engine.create({ ...spec, processes: spec.processes + 1 })
    expect(other).not.toBe(id)
    expect(await engine.inspect(id)).toEqual({ state: 'gone' })
    await engine.remove(other)
  })

  test('a name is refused while its container has run, or is another server’s', async () => {
    const { engine, adapter } = it.engine
    const spec = it.engine.spec('')
    const { id } = await engine.create(spec)
    await expect(adapter.foreign().create(spec)).rejects.toMatchObject({ kind: 'name-taken' })
    await it.engine.toTheEnd(id)
    await expect(engine.create(spec)).rejects.toMatchObject({ kind: 'name-taken' })
    await engine.remove(id)
    await engine.remove((await engine.create(spec)).id)
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
}
