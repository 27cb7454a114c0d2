import { expect } from 'vitest'
import { effectiveLimits } from '@beadloom/core/container-limits/effective-limits.ts'
import { ineffectiveLimits, ineffectiveNote } from '@beadloom/core/container-limits/ineffective-limits.ts'
import { LimitReport } from '@beadloom/core/container-limits/limit-report.ts'
import { PROBE_PROGRAM } from '@beadloom/server/src/container/limits/probe-program.ts'
import type { Contract } from './engine-contract.ts'
import { call, ENDLESS, EXECUTION, same, theEndOf, toTheEnd } from './engine-under-test.ts'

const GIB = 1024 ** 3
const WITH_REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire('/');`
const GONE = { id: 'beadloom-no-such-sandbox', name: 'beadloom-no-such-sandbox' }

/** The beginning and end of sandboxes, and their owners. */
export function lifeContract({ it, promise }: Contract): void {
  promise('an engine that is there says so, and how large it is', async () => {
    const health = await it.engine.engine.health()
    expect(health).toMatchObject({ ok: true, text: expect.stringMatching(/\w/) })
    expect(Math.min(health.cpus, health.memoryBytes)).toBeGreaterThan(0)
  })

  promise('limits are clamped to the host, and each clamp is a sentence', async () => {
    const { engine } = it.engine
    const { cpus, memoryBytes } = await engine.health()
    const asked = { cpus: cpus + 2, memoryBytes: Math.ceil(memoryBytes / GIB + 4) * GIB }
    const { sandbox, clamped } = await engine.open(it.engine.spec(asked))
    // The later sentences are about limits that cannot be set at all.
    const [processors, memory] = clamped.map((text) => text.replace('its largest node', 'this host'))
    expect([processors, memory]).toEqual([
      `asked for ${cpus + 2} CPUs, this host has ${cpus}`,
      `asked for ${asked.memoryBytes / GIB} GiB of memory, this host has ${Math.round((memoryBytes / GIB) * 10) / 10} GiB for it`,
    ])
    await sandbox.close()
  })

  promise('what is asked for is limited, or it is said which limits do not act', async () => {
    const spec = it.engine.spec()
    const { sandbox, clamped } = await it.engine.engine.open(spec)
    const { stdout } = await toTheEnd(sandbox, `${WITH_REQUIRE}${PROBE_PROGRAM};console.log(report)`)
    const acting = effectiveLimits(LimitReport.parse(JSON.parse(stdout.toString())))
    const { memoryBytes: memory, processes, cpus } = spec
    const files = { openFiles: 8192, fileSize: 16 * GIB, coreSize: 0 }
    const ineffective = ineffectiveLimits({ memory, swap: 0, processes, cpus, ...files }, acting, [])
    const note = ineffectiveNote(ineffective, { rootless: false, cgroups: null }, true)
    const beginning = (text: string | null | undefined) => text?.split('. ')[0]
    expect(beginning(clamped[0])).toBe(beginning(note))
    const { weaker } = await it.engine.engine.health()
    expect(weaker.map(beginning).includes(beginning(note))).toBe(note !== null)
    await sandbox.close()
  })

  promise(
    'a name is taken once: what was opened and never used is taken, or made anew for other settings',
    async () => {
      const { engine, adapter } = it.engine
      const spec = it.engine.spec()
      const { sandbox } = await engine.open(spec)
      expect((await adapter.again().open(spec)).sandbox.id).toBe(sandbox.id)
      const { sandbox: other } = await engine.open({ ...spec, processes: spec.processes + 1 })
      expect(other.id).not.toBe(sandbox.id)
      expect(await sandbox.state()).toMatchObject({ state: 'gone' })
      await other.close()
    },
  )

  promise('a name is refused while its sandbox has been used, or is another server’s', async () => {
    const { engine, adapter } = it.engine
    const spec = it.engine.spec()
    const { sandbox } = await engine.open(spec)
    await expect(adapter.foreign().open(spec)).rejects.toMatchObject({ kind: 'name-taken' })
    await toTheEnd(sandbox, '')
    await expect(engine.open(spec)).rejects.toMatchObject({ kind: 'name-taken' })
    await sandbox.close()
    await (await engine.open(spec)).sandbox.close()
  })

  promise('one that is warm begins its first session at once, whose output is whole', async () => {
    const sandbox = await it.engine.open()
    await sandbox.warm()
    expect(await sandbox.state()).toMatchObject({ state: 'created' })
    const first = await toTheEnd(sandbox, `process.stdout.write('first'); process.exitCode = 3`)
    expect([first.stdout.toString(), first.exit.code]).toEqual(['first', 3])
    expect((await toTheEnd(sandbox, `process.stdout.write('second')`)).stdout.toString()).toBe('second')
    await sandbox.close()
  })

  promise(
    'one that has stepped ahead gives its process to the next session, once, and the one after has its own',
    async () => {
      const sandbox = await it.engine.open()
      await sandbox.stepAhead()
      expect(await sandbox.state()).toMatchObject({ state: 'created' })
      const program = `process.stdout.write(process.env.BEADLOOM_GATE ? 'was loaded' : 'is new'); process.exitCode = 4`
      const first = await toTheEnd(sandbox, program)
      expect([first.stdout.toString(), first.exit.code]).toEqual(['was loaded', 4])
      expect((await toTheEnd(sandbox, program)).stdout.toString()).toBe('is new')
      await sandbox.close()
    },
  )

  promise('one that has stepped ahead after a session is stopped and closed like any other', async () => {
    const sandbox = await it.engine.open()
    await toTheEnd(sandbox, '')
    await sandbox.stepAhead()
    await sandbox.stop(10_000)
    await sandbox.close()
    expect(await sandbox.state()).toMatchObject({ state: 'gone' })
  })

  promise('one that is warm is closed like any other', async () => {
    const sandbox = await it.engine.open()
    await sandbox.warm()
    await sandbox.close()
    expect(await sandbox.state()).toMatchObject({ state: 'gone' })
  })

  promise('stopping and closing what is gone is fine', async () => {
    const gone = it.engine.engine.sandbox(GONE)
    await gone.stop(0)
    await gone.close()
    expect(await gone.state()).toMatchObject({ state: 'gone' })
  })

  promise('nothing else can be done with what is gone', async () => {
    const gone = it.engine.engine.sandbox(GONE)
    const key = { project: 'none', digest: 'none' }
    const works = [() => gone.run(call('')), () => gone.warm(), () => gone.keepAs(key), () => gone.readFolder('/tmp')]
    for (const work of works) await expect(work()).rejects.toMatchObject({ name: 'EngineError' })
    expect(await gone.bytes()).toBeNull()
    await gone.close()
  })

  promise('sandboxes of another server are not listed and not touched', async () => {
    const { engine } = it.engine
    const foreign = it.engine.adapter.foreign()
    const { sandbox } = await foreign.open(it.engine.spec())
    const { id, name } = sandbox
    expect((await engine.owned()).map((owned) => owned.id)).not.toContain(id)
    await expect(engine.sandbox({ id, name }).stop(0)).rejects.toThrow(/does not belong to this server/)
    await expect(engine.sandbox({ id, name }).close()).rejects.toThrow(/does not belong to this server/)
    expect(await foreign.owned()).toMatchObject([{ id, owner: EXECUTION, purpose: 'work', state: 'created' }])
    await sandbox.close()
    expect(await sandbox.state()).toMatchObject({ state: 'gone' })
  })

  promise('a server that was started anew finds its sandboxes in every state, with what they are for', async () => {
    const before = Date.now()
    const created = await it.engine.open({ owner: 'ex-1111111111', purpose: 'verify' })
    const { sandbox: running } = await it.engine.started(ENDLESS)
    const ended = await it.engine.open()
    await toTheEnd(ended, '')
    const next = it.engine.adapter.again()
    const found = await next.owned()
    const of = ({ id }: { id: string }) => found.find((one) => one.id === id)
    expect(of(created)).toMatchObject({ owner: 'ex-1111111111', purpose: 'verify', state: 'created' })
    expect(of(running)).toMatchObject({ owner: EXECUTION, purpose: 'work', name: running.name })
    expect(of(ended)).toMatchObject({ owner: EXECUTION })
    const states = await Promise.all([created, running, ended].map((one) => it.engine.next(one).state()))
    expect(states).toMatchObject([{ state: 'created' }, { state: 'running' }, { state: 'exited' }])
    expect(of(created)?.createdAt).toBeGreaterThanOrEqual(before - 2_000) // Docker tells whole seconds
    for (const one of [created, running, ended]) await it.engine.next(one).close()
    for (const one of [created, running, ended]) expect(await one.state()).toMatchObject({ state: 'gone' })
  })

  promise('what is tidied up beside the engine hurts no sandbox that is named', async () => {
    const { engine } = it.engine
    const sandbox = await it.engine.open()
    const names = (await engine.owned()).map(({ name }) => name)
    await engine.tidy(names)
    const { stdout } = await toTheEnd(sandbox, `console.log('still here')`)
    expect(stdout.toString()).toBe('still here\n')
    await sandbox.close()
  })

  promise('a session that goes on without its server finds the next one, which listens', async () => {
    const { sandbox, running } = await it.engine.started(
      `console.log('ready')
       for (let answer = ''; answer !== 'of the next'; await new Promise((resolve) => setTimeout(resolve, 50)))
         answer = await ask('/v1/who').catch(() => '')
       console.log('done')`,
    )
    sandbox.letGo()
    running.output.close()
    const next = it.engine.next(sandbox)
    await next.listen()
    const model = (_: unknown, response: { end: (text: string) => unknown }) => void response.end('of the next')
    const { stdout, exit } = await theEndOf(await next.adopt(same({ model })))
    expect([stdout.toString(), exit.code]).toEqual(['ready\ndone\n', 0])
    await next.close()
  })
}
