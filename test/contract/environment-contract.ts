import { expect } from 'vitest'
import type { Contract } from './engine-contract.ts'
import { ENDLESS, never, toTheEnd } from './engine-under-test.ts'

/** The environments that sandboxes start from, and the environment that a sandbox becomes. */
export function environmentContract({ it, promise }: Contract): void {
  const key = (name: string) => ({ project: 'contract', digest: `${it.engine.adapter.prefix}-${name}` })

  promise('one that is not there is an error of its own kind', async () => {
    await expect(it.engine.open({ environment: 'beadloom/none:none' })).rejects.toMatchObject({ kind: 'image-missing' })
    expect(await it.engine.engine.environment(key('none'))).toBeNull()
  })

  promise('the default one is made once and found again', async () => {
    const lines: string[] = []
    const making = { onProgress: (line: string) => void lines.push(line), signal: never }
    expect(await it.engine.engine.prepare({ from: 'default' }, null, making)).toBe(it.engine.adapter.environment)
    expect(lines).toEqual([])
  })

  promise(
    'what a session leaves is kept: others start like it, and it stays as it was when they change it',
    async () => {
      const { engine, adapter } = it.engine
      const write = (text: string) => `import fs from 'node:fs'
      fs.writeFileSync('/workspace/made', '${text}'); fs.writeFileSync(process.env.HOME + '/made', '${text}', { mode: 0o700 })
      fs.symlinkSync('made', '/workspace/link-${text.length}')`
      const first = await it.engine.open()
      await toTheEnd(first, write('by setup'))
      const environment = await first.keepAs(key('made'))
      expect(await engine.environment(key('made'))).toBe(environment)
      expect(await adapter.again().environment(key('made'))).toBe(environment)
      await first.close()

      const changed = await it.engine.open({ environment })
      expect((await toTheEnd(changed, write('anew'))).exit.code).toBe(0)
      await changed.close()

      const look = `import fs from 'node:fs'
      const { mode, uid } = fs.statSync('/home/agent/made')
      console.log(process.getuid(), uid, (mode & 0o777).toString(8), fs.readlinkSync('/workspace/link-8'), fs.readFileSync('/workspace/made', 'utf8'))`
      const next = await it.engine.open({ environment })
      expect((await toTheEnd(next, look)).stdout.toString()).toBe('1000 1000 700 made by setup\n')
      await next.close()
    },
  )

  promise(
    'what was kept is listed with its size, stays while a sandbox is made of it, and goes when it is removed',
    async () => {
      const { engine } = it.engine
      const first = await it.engine.open()
      await toTheEnd(
        first,
        `import fs from 'node:fs'; fs.writeFileSync('/workspace/large', Buffer.alloc(1_000_000, 'x'))`,
      )
      const environment = await first.keepAs(key('listed'))
      await first.close()
      const name = engine.imageName(key('listed'))
      const listed = async () => (await engine.images()).find((image) => image.name === name)
      expect(await listed()).toMatchObject({ key: key('listed'), isUsed: false, isBelow: false })
      expect((await listed())?.bytes).toBeGreaterThanOrEqual(1_000_000)

      const second = await it.engine.open({ environment })
      expect(await listed()).toMatchObject({ isUsed: true })
      await expect(engine.removeImage(name)).rejects.toMatchObject({ name: 'EngineError' })
      await second.close()
      await engine.removeImage(name)
      expect(await engine.environment(key('listed'))).toBeNull()
      expect(await listed()).toBe(undefined)
      await engine.removeImage(name)
    },
  )

  promise('none is kept while a session runs', async () => {
    const { sandbox } = await it.engine.started(ENDLESS)
    await expect(sandbox.keepAs(key('never'))).rejects.toThrow(/still running/)
    expect(await it.engine.engine.environment(key('never'))).toBeNull()
    await sandbox.close()
  })
}
