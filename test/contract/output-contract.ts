import { createHash } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collect, never, saying, type EngineUnderTest } from './engine-under-test.ts'

const LATER = 'await new Promise((resolve) => setTimeout(resolve, 300))'
const STARTS = `import fs from 'node:fs'
  fs.appendFileSync('/workspace/starts', 'x'); console.log(fs.readFileSync('/workspace/starts', 'utf8'))`
/** Pieces of all sizes on both streams, some of them after a while. */
const CHATTY = `import { createHash } from 'node:crypto'
  const noise = (i) => createHash('shake256', { outputLength: 1 + (i * 7919) % 9000 }).update(String(i)).digest()
  for (let i = 0; i < 400; i++) {
    process.stdout.write(noise(i)); process.stderr.write('line ' + i + '\\n\\n')
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stdout.write('x'.repeat(70_000)); process.stderr.write('no newline')`

/** Prints 40 MB, more than all buffers on the way hold, and tells by the link whether that came to a halt. */
const HELD_BACK = `import fs from 'node:fs'
  import net from 'node:net'
  const link = net.connect('/run/beadloom/link.sock')
  const line = Buffer.alloc(65_536, 'x')
  let said = 0, seen = -1, still = 0
  const next = () => said === 640 ? link.end('done') && clearInterval(looks) : fs.write(1, line, () => { said++; next() })
  const looks = setInterval(() => {
    still = said === seen ? still + 1 : 0
    seen = said
    if (still === 10) link.write('stuck')
  }, 100)
  next()`

/** What a program prints, and when and how often it can be read. */
export function outputContract(it: { engine: EngineUnderTest }): void {
  test('is complete from the first byte, exact for every byte value, streams apart', async () => {
    const id = await it.engine.create(
      `const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
       process.stdout.write(Buffer.concat([bytes, bytes])); process.stderr.write(Buffer.from(bytes).reverse()); process.stdout.write('no newline')`,
    )
    const { stdout, stderr } = await it.engine.toTheEnd(id)
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
    expect(stdout.equals(Buffer.concat([all, all, Buffer.from('no newline')]))).toBe(true)
    expect(stderr.equals(Buffer.from(all).reverse())).toBe(true)
  })

  test('comes in the order in which it was printed, on whichever stream', async () => {
    const words = ['one', 'two', 'three', 'four']
    const print = (word: string, n: number) => `process.std${n % 2 ? 'err' : 'out'}.write('${word} '); ${LATER}\n`
    const id = await it.engine.create(words.map(print).join(''))
    const output = await it.engine.engine.attach(id)
    await it.engine.engine.start(id)
    const came: string[] = []
    for await (const { bytes } of output) came.push(bytes.toString())
    expect(came.join('')).toBe('one two three four ')
  })

  test('of 20 MB arrives byte for byte', async () => {
    const id = await it.engine.create(
      `import { createHash } from 'node:crypto'
       for (let i = 0; i < 320; i++) process.stdout.write(createHash('shake256', { outputLength: 65536 }).update(String(i)).digest())`,
    )
    const { stdout } = await it.engine.toTheEnd(id)
    const expected = createHash('sha256')
    for (let i = 0; i < 320; i++)
      expected.update(createHash('shake256', { outputLength: 65_536 }).update(String(i)).digest())
    expect(stdout).toHaveLength(320 * 65_536)
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(expected.digest('hex'))
  })

  test('that nobody reads stops the program, and nothing of it is lost', async () => {
    const { engine } = it.engine
    const spec = it.engine.spec(HELD_BACK)
    const told = Promise.withResolvers<string>()
    const link = createServer((socket) => socket.on('data', (bytes) => told.resolve(bytes.toString())))
    await new Promise<void>((resolve) => link.listen(join(spec.linkFolder, 'link.sock'), resolve))
    chmodSync(join(spec.linkFolder, 'link.sock'), 0o666)
    const { id } = await engine.create(spec)
    const output = await engine.attach(id)
    await engine.start(id)
    expect(await told.promise).toBe('stuck')
    expect(await engine.inspect(id)).toMatchObject({ state: 'running' })
    expect((await collect(output)).stdout).toHaveLength(640 * 65_536)
    expect(await engine.waitForExit(id, never)).toMatchObject({ code: 0 })
    link.close()
  })

  test('output after the exit is still delivered to a slow reader', async () => {
    const id = await it.engine.create(`process.stdout.write('a'.repeat(300_000))`)
    const output = await it.engine.engine.attach(id)
    await it.engine.engine.start(id)
    await expect.poll(() => it.engine.engine.inspect(id), { timeout: 20_000 }).toMatchObject({ state: 'exited' })
    expect((await collect(output)).stdout).toHaveLength(300_000)
  })

  test('of a second start of the same container is that start’s alone, and the workspace is kept', async () => {
    const id = await it.engine.create(STARTS)
    expect((await it.engine.toTheEnd(id)).stdout.toString()).toBe('x\n')
    expect((await it.engine.toTheEnd(id)).stdout.toString()).toBe('xx\n')
  })

  test('is kept by the engine byte for byte: while it comes, and when all is over', async () => {
    const id = await it.engine.create(CHATTY)
    const attached = collect(await it.engine.engine.attach(id))
    await it.engine.engine.start(id)
    const followed = collect(await it.engine.engine.resumeOutput(id))
    const whole = await attached
    expect(await followed).toEqual(whole)
    expect(await collect(await it.engine.engine.resumeOutput(id))).toEqual(whole)
  })

  test('is read from the first byte on by a server that was started anew, whatever the one before has read', async () => {
    const id = await it.engine.create(
      `process.on('SIGTERM', () => { console.log('last'); process.exit() })
       console.log('first'); console.log('ready'); setInterval(() => {}, 1000)`,
    )
    const left = await it.engine.engine.attach(id)
    await it.engine.engine.start(id)
    for await (const { bytes } of left) if (bytes.toString().includes('ready')) left.close()

    const next = it.engine.adapter.again()
    const output = collect(await next.resumeOutput(id))
    await saying(await next.resumeOutput(id), 'ready')
    await next.stop(id, 30_000)
    expect((await output).stdout.toString()).toBe('first\nready\nlast\n')
  })

  test('that nobody is there to read does not stop the program', async () => {
    const id = await it.engine.create(`process.stdout.write('x'.repeat(4 * 1024 ** 2)); process.stdout.write('ready')`)
    const left = await it.engine.engine.attach(id)
    await it.engine.engine.start(id)
    left.close()
    const unread = await it.engine.adapter.again().resumeOutput(id)
    await expect.poll(() => it.engine.engine.inspect(id), { timeout: 20_000 }).toMatchObject({ state: 'exited' })
    expect((await collect(unread)).stdout).toHaveLength(4 * 1024 ** 2 + 'ready'.length)
  })

  test('read again comes with the times at which it was printed, not those of the reading', async () => {
    const id = await it.engine.create(
      `process.stdout.write('one\\n'); await new Promise((resolve) => setTimeout(resolve, 1500)); process.stderr.write('2 '.repeat(20_000))`,
    )
    await it.engine.toTheEnd(id)
    const ended = await it.engine.engine.inspect(id)
    const times = { stdout: [] as unknown[], stderr: [] as unknown[] }
    for await (const { stream, at } of await it.engine.engine.resumeOutput(id)) times[stream].push(at)
    const [first, second] = [Number(times.stdout[0]), Number(times.stderr[0])]
    const exit = ended.state === 'exited' ? ended.exit : null
    expect(second - first).toBeGreaterThanOrEqual(1400)
    expect(first).toBeGreaterThanOrEqual(exit?.startedAt ?? Infinity)
    expect(second).toBeLessThanOrEqual(exit?.finishedAt ?? 0)
  })

  test('read again is that of the last start alone, however quickly it followed', async () => {
    const id = await it.engine.create(STARTS)
    for (const starts of ['x', 'xx', 'xxx', 'xxxx']) {
      expect((await it.engine.toTheEnd(id)).stdout.toString()).toBe(`${starts}\n`)
      expect((await collect(await it.engine.engine.resumeOutput(id))).stdout.toString()).toBe(`${starts}\n`)
    }
  })

  test('ends when it is closed', async () => {
    const id = await it.engine.create(`console.log('up'); setInterval(() => {}, 1000)`)
    const output = await it.engine.engine.attach(id)
    await it.engine.engine.start(id)
    let seen = ''
    for await (const { bytes } of output) {
      seen += bytes.toString()
      output.close()
    }
    expect(seen).toBe('up\n')
    await it.engine.engine.remove(id)
  })

  test('of a container that is gone is empty', async () => {
    expect(await collect(await it.engine.engine.resumeOutput('beadloom-no-such-container'))).toEqual({
      stdout: Buffer.alloc(0),
      stderr: Buffer.alloc(0),
    })
  })

  test('ends when its container is removed', async () => {
    const id = await it.engine.started(`console.log('ready'); setInterval(() => {}, 1000)`)
    const output = collect(await it.engine.engine.resumeOutput(id))
    await it.engine.engine.remove(id)
    expect((await output).stderr).toHaveLength(0)
  })
}
