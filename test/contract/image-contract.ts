import { expect, test } from 'vitest'
import { never, type EngineUnderTest } from './engine-under-test.ts'

/** What containers start from, and what becomes of one. */
export function imageContract(it: { engine: EngineUnderTest }): void {
  const tag = (name: string) => `beadloom/contract:${it.engine.adapter.prefix}-${name}`

  test('an image that is not there is an error of its own kind', async () => {
    await expect(it.engine.create('', { image: 'beadloom/none:none' })).rejects.toMatchObject({ kind: 'image-missing' })
    expect(await it.engine.engine.findImage('beadloom/none:none')).toBeNull()
  })

  test('the image of the agent is made once and found again', async () => {
    const lines: string[] = []
    const image = await it.engine.engine.runtimeImage({ from: 'default' }, (line) => lines.push(line), never)
    expect(image).toBe(it.engine.adapter.image)
    expect(lines).toEqual([])
    expect(await it.engine.engine.findImage(image)).toBe(image)
  })

  test('a stopped container becomes an image that starts like it, and stays as it was when that is changed', async () => {
    const { engine, adapter } = it.engine
    const write = (text: string) => `import fs from 'node:fs'
      fs.writeFileSync('/workspace/made', '${text}'); fs.writeFileSync(process.env.HOME + '/made', '${text}', { mode: 0o700 })
      fs.symlinkSync('made', '/workspace/link-${text.length}')`
    const id = await it.engine.create(write('by setup'))
    await it.engine.toTheEnd(id)
    const image = await engine.commit(id, tag('made'))
    expect(await engine.findImage(tag('made'))).toBe(image)
    expect(await adapter.again().findImage(tag('made'))).toBe(image)
    await engine.remove(id)

    const changed = await it.engine.create(write('anew'), { image })
    expect((await it.engine.toTheEnd(changed)).exit.code).toBe(0)
    await engine.remove(changed)

    const look = `import fs from 'node:fs'
      const { mode, uid } = fs.statSync('/home/agent/made')
      console.log(process.getuid(), uid, (mode & 0o777).toString(8), fs.readlinkSync('/workspace/link-8'), fs.readFileSync('/workspace/made', 'utf8'))`
    const next = await it.engine.create(look, { image })
    expect((await it.engine.toTheEnd(next)).stdout.toString()).toBe('1000 1000 700 made by setup\n')
    await engine.remove(next)
  })

  test('a running container is not committed', async () => {
    const id = await it.engine.started(`console.log('ready'); setInterval(() => {}, 1000)`)
    await expect(it.engine.engine.commit(id, tag('never'))).rejects.toThrow(/still running/)
    expect(await it.engine.engine.findImage(tag('never'))).toBeNull()
    await it.engine.engine.remove(id)
  })
}
