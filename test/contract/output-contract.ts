import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Contract } from './engine-contract.ts'
import { call, collect, never, same, theEndOf, toTheEnd } from './engine-under-test.ts'

const LATER = 'await new Promise((resolve) => setTimeout(resolve, 300))'
const STARTS = `import fs from 'node:fs'
  fs.appendFileSync('/workspace/starts', 'x'); console.log(fs.readFileSync('/workspace/starts', 'utf8'))`
/** Prints pieces of all sizes on both streams, some of them later. */
const CHATTY = `import { createHash } from 'node:crypto'
  const noise = (i) => createHash('shake256', { outputLength: 1 + (i * 7919) % 9000 }).update(String(i)).digest()
  for (let i = 0; i < 400; i++) {
    process.stdout.write(noise(i)); process.stderr.write('line ' + i + '\\n\\n')
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stdout.write('x'.repeat(70_000)); process.stderr.write('no newline')`

/** The output of a session, and when and how often it can be read. */
export function outputContract({ it, promise }: Contract): void {
  promise('is complete from the first byte, exact for every byte value, streams apart', async () => {
    const { stdout, stderr } = await toTheEnd(
      await it.engine.open(),
      `const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
       process.stdout.write(Buffer.concat([bytes, bytes])); process.stderr.write(Buffer.from(bytes).reverse()); process.stdout.write('no newline')`,
    )
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
    expect(stdout.equals(Buffer.concat([all, all, Buffer.from('no newline')]))).toBe(true)
    expect(stderr.equals(Buffer.from(all).reverse())).toBe(true)
  })

  promise('comes in the order in which it was printed, on whichever stream', async () => {
    const words = ['one', 'two', 'three', 'four']
    const print = (word: string, n: number) => `process.std${n % 2 ? 'err' : 'out'}.write('${word} '); ${LATER}\n`
    const { output } = await (await it.engine.open()).run(call(words.map(print).join('')))
    const came: string[] = []
    for await (const { bytes } of output) came.push(bytes.toString())
    expect(came.join('')).toBe('one two three four ')
  })

  promise('of 20 MB arrives byte for byte', async () => {
    const { stdout } = await toTheEnd(
      await it.engine.open(),
      `import { createHash } from 'node:crypto'
       for (let i = 0; i < 320; i++) process.stdout.write(createHash('shake256', { outputLength: 65536 }).update(String(i)).digest())`,
    )
    const expected = createHash('sha256')
    for (let i = 0; i < 320; i++)
      expected.update(createHash('shake256', { outputLength: 65_536 }).update(String(i)).digest())
    expect(stdout).toHaveLength(320 * 65_536)
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(expected.digest('hex'))
  })

  promise('that nobody reads yet is kept: the session goes on, and nothing of it is lost', async () => {
    const sandbox = await it.engine.open()
    const running = await sandbox.run(call(`process.stdout.write('x'.repeat(40 * 1024 ** 2))`))
    await expect.poll(() => sandbox.state(), { timeout: 20_000 }).toMatchObject({ state: 'exited' })
    const { stdout, exit } = await theEndOf(running)
    expect(stdout).toHaveLength(40 * 1024 ** 2)
    expect(exit).toMatchObject({ code: 0 })
  })

  promise('that was printed before its sandbox was killed is whole, though no server had read it', async () => {
    const sandbox = await it.engine.open()
    const printed = Promise.withResolvers<void>()
    const program = `process.stdout.write('x'.repeat(3_000_000)); process.stderr.write('last'); await ask('/v1/printed').catch(() => {}); setInterval(() => {}, 1000)` // the answer may be cut off
    const model = (_: unknown, response: { end: () => unknown }) => {
      printed.resolve()
      response.end()
    }
    const { output } = await sandbox.run(call(program, { model }))
    output.close()
    await printed.promise
    sandbox.letGo()
    await it.engine.adapter.kill(sandbox.id)
    const { stdout, stderr } = await collect((await it.engine.next(sandbox).adopt(same())).output)
    expect([stdout.length, stderr.toString()]).toEqual([3_000_000, 'last'])
  })

  promise('is still delivered after the end to a slow reader', async () => {
    const sandbox = await it.engine.open()
    const { output } = await sandbox.run(call(`process.stdout.write('a'.repeat(300_000))`))
    await expect.poll(() => sandbox.state(), { timeout: 20_000 }).toMatchObject({ state: 'exited' })
    expect((await collect(output)).stdout).toHaveLength(300_000)
  })

  promise('of a second session in the same sandbox is that session’s alone, and the workspace is kept', async () => {
    const sandbox = await it.engine.open()
    expect((await toTheEnd(sandbox, STARTS)).stdout.toString()).toBe('x\n')
    expect((await toTheEnd(sandbox, STARTS)).stdout.toString()).toBe('xx\n')
  })

  promise('is kept byte for byte until it was closed, for one server after the other', async () => {
    const sandbox = await it.engine.open()
    const whole = await collect((await sandbox.run(call(CHATTY))).output)
    for (let last = sandbox, servers = 0; servers < 2; servers++) {
      last.letGo()
      last = it.engine.next(sandbox)
      expect(await collect((await last.adopt(same())).output)).toEqual(whole)
    }
  })

  promise(
    'is read from the first byte on by a server that was started anew, whatever the one before has read',
    async () => {
      const sandbox = await it.engine.open()
      const { output: left } = await sandbox.run(
        call(
          `process.on('SIGTERM', () => { console.log('last'); process.exit() })
         console.log('first'); console.log('ready'); setInterval(() => {}, 1000)`,
        ),
      )
      for await (const { bytes } of left) if (bytes.toString().includes('ready')) left.close()
      sandbox.letGo()
      const next = it.engine.next(sandbox)
      const { output } = await next.adopt(same())
      let text = ''
      const read = async () => {
        for await (const { bytes } of output) text += bytes.toString()
      }
      const whole = read()
      await expect.poll(() => text).toContain('ready')
      await next.stop(30_000)
      await whole
      expect(text).toBe('first\nready\nlast\n')
    },
  )

  promise('that nobody is there to read does not hold the session back', async () => {
    const sandbox = await it.engine.open()
    const program = `process.stdout.write('x'.repeat(4 * 1024 ** 2)); process.stdout.write('ready')`
    const { output: left } = await sandbox.run(call(program))
    left.close()
    sandbox.letGo()
    const next = it.engine.next(sandbox)
    const { output: unread } = await next.adopt(same())
    await expect.poll(() => next.state(), { timeout: 20_000 }).toMatchObject({ state: 'exited' })
    expect((await collect(unread)).stdout).toHaveLength(4 * 1024 ** 2 + 'ready'.length)
  })

  promise('read again comes with the times at which it was printed, not those of the reading', async () => {
    const sandbox = await it.engine.open()
    const running = await sandbox.run(
      call(
        `process.stdout.write('one\\n'); await new Promise((resolve) => setTimeout(resolve, 1500)); process.stderr.write('2 '.repeat(20_000))`,
      ),
    )
    const exit = await running.ended(never)
    sandbox.letGo()
    const times = { stdout: [] as unknown[], stderr: [] as unknown[] }
    const { output } = await it.engine.next(sandbox).adopt(same())
    for await (const { stream, at } of output) times[stream].push(at)
    const [first, second] = [Number(times.stdout[0]), Number(times.stderr[0])]
    expect(second - first).toBeGreaterThanOrEqual(1400)
    expect(first).toBeGreaterThanOrEqual(exit.startedAt)
    expect(second).toBeLessThanOrEqual(exit.finishedAt)
  })

  promise('read again is that of the last session alone, however quickly it followed', async () => {
    let sandbox = await it.engine.open()
    for (const starts of ['x', 'xx', 'xxx', 'xxxx']) {
      const { output: first } = await sandbox.run(call(STARTS))
      expect((await collect(first)).stdout.toString()).toBe(`${starts}\n`)
      sandbox.letGo()
      sandbox = it.engine.next(sandbox)
      const { output } = await sandbox.adopt(same())
      expect((await collect(output)).stdout.toString()).toBe(`${starts}\n`)
    }
  })

  promise('ends when it is closed', async () => {
    const sandbox = await it.engine.open()
    const { output } = await sandbox.run(call(`console.log('up'); setInterval(() => {}, 1000)`))
    let seen = ''
    for await (const { bytes } of output) {
      seen += bytes.toString()
      output.close()
    }
    expect(seen).toBe('up\n')
    await sandbox.close()
  })

  promise('of a sandbox that is gone is empty', async () => {
    const gone = it.engine.engine.sandbox({ id: 'beadloom-no-such-sandbox', name: 'beadloom-no-such-sandbox' })
    const { stdout, stderr } = await collect((await gone.adopt(same())).output)
    expect([stdout.length, stderr.length]).toEqual([0, 0])
    await gone.close()
  })

  promise('ends when its sandbox is closed', async () => {
    const { sandbox } = await it.engine.started(`console.log('ready'); setInterval(() => {}, 1000)`)
    sandbox.letGo()
    const next = it.engine.next(sandbox)
    const output = collect((await next.adopt(same())).output)
    await next.close()
    expect((await output).stderr).toHaveLength(0)
  })
}
