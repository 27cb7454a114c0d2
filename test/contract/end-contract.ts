import { expect } from 'vitest'
import type { Contract } from './engine-contract.ts'
import { collect, ENDLESS, never, same, toTheEnd } from './engine-under-test.ts'

/** The end of a session, and the report of it. */
export function endContract({ it, promise }: Contract): void {
  promise('has the exit code of the program', async () => {
    const sandbox = await it.engine.open()
    expect(await sandbox.state()).toMatchObject({ state: 'created' })
    const { exit } = await toTheEnd(sandbox, 'process.exit(42)')
    expect(exit).toMatchObject({ code: 42, oomKilled: false, lost: false })
    expect(exit.finishedAt).toBeGreaterThanOrEqual(exit.startedAt)
    expect(exit.startedAt).toBeGreaterThan(0)
    expect(await sandbox.state()).toMatchObject({ state: 'exited', exit: { code: 42 } })
  })

  promise('says when somebody else has killed it, and only then', async () => {
    const sandbox = await it.engine.open()
    for (const kill of ['by hand', 'by us'] as const) {
      const running = await it.engine.startIn(sandbox, ENDLESS)
      if (kill === 'by us') await sandbox.stop(0)
      else await it.engine.adapter.kill(sandbox.id)
      const exit = await running.ended(never)
      expect(exit).toMatchObject({ oomKilled: false, lost: false })
      expect([137, 143]).toContain(exit.code) // SIGTERM may be faster than the SIGKILL behind it
      expect(exit.killed ?? false).toBe(kill === 'by hand')
      expect(exit.outside ?? false).toBe(kill === 'by hand')
    }
  })

  promise('that came while no server was there is told to the next one', async () => {
    const { sandbox } = await it.engine.started(ENDLESS)
    sandbox.letGo()
    await it.engine.adapter.kill(sandbox.id)
    const next = it.engine.next(sandbox)
    const adopted = await next.adopt(same())
    expect(await adopted.ended(never)).toMatchObject({ code: 137, killed: true, outside: true, lost: false })
    await next.close()
  })

  promise('comes by SIGTERM for a program that listens', async () => {
    const { sandbox, running } = await it.engine.started(
      `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
    )
    await sandbox.stop(30_000)
    expect(await running.ended(never)).toMatchObject({ code: 5 })
  })

  promise('comes by SIGTERM for a program that has never heard of it', async () => {
    const { sandbox } = await it.engine.started(ENDLESS)
    await sandbox.stop(30_000)
    expect(await sandbox.state()).toMatchObject({ state: 'exited', exit: { code: 143, lost: false } })
  })

  promise('comes by SIGKILL for one that does not, and for its children', async () => {
    const { sandbox, running } = await it.engine.started(
      `import { spawn } from 'node:child_process'
       process.on('SIGTERM', () => {})
       const child = "trap '' TERM; echo ready; while true; do sleep 1; done"
       spawn('sh', ['-c', child], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
       setInterval(() => {}, 1000)`,
    )
    const whole = collect(running.output)
    await sandbox.stop(1)
    expect(await sandbox.state()).toMatchObject({ state: 'exited', exit: { code: 137, oomKilled: false } })
    expect(await running.ended(never)).toMatchObject({ code: 137, lost: false })
    await whole // the child held its output open
  })

  promise('in a sandbox that somebody removes is lost, and waiting for it ends', async () => {
    const { sandbox, running } = await it.engine.started(ENDLESS)
    const waiting = running.ended(never)
    await it.engine.next(sandbox).close()
    expect(await waiting).toMatchObject({ lost: true })
    expect(await running.ended(never)).toMatchObject({ lost: true })
  })

  promise('of one that kills what supervises it is unknown, and the next session begins as ever', async () => {
    const sandbox = await it.engine.open()
    const { exit, stdout } = await toTheEnd(
      sandbox,
      `import fs from 'node:fs'
       console.log('before')
       for (const name of fs.readdirSync('/proc').filter((one) => /^[0-9]+$/.test(one))) {
         const words = fs.readFileSync('/proc/' + name + '/cmdline', 'utf8').split('\\0')
         if (name !== '1' && words.some((word) => word.includes('supervisor'))) process.kill(Number(name), 'SIGKILL')
       }
       setInterval(() => {}, 1000)`,
    )
    expect(stdout.toString()).toBe('before\n')
    expect(exit).toMatchObject({ lost: true, unseen: true })
    expect((await toTheEnd(sandbox, `console.log('after')`)).stdout.toString()).toBe('after\n')
  })

  promise('is no longer waited for when the signal aborts', async () => {
    const { sandbox, running } = await it.engine.started(ENDLESS)
    const stopper = new AbortController()
    const waiting = running.ended(stopper.signal)
    stopper.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'EngineError', kind: 'refused' })
    expect(await sandbox.state()).toMatchObject({ state: 'running' })
    await sandbox.close()
  })
}
