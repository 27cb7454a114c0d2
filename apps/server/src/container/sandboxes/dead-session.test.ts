// @suite unit-long
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PassThrough, Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatOrder } from '@beadloom/core/supervisor/spool-order.ts'
import { EngineError } from '../../ports/engine.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { DeadSession } from './dead-session.ts'
import { readDead } from './read-dead.ts'

const never = new AbortController().signal
const MIB = 1024 ** 2
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dead-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A session's folder in the form that the engine gives it. */
function folderOf(files: Record<string, Buffer>): Readable {
  const tar = pack()
  const put = async () => {
    for (const [name, bytes] of Object.entries(files))
      await new Promise<void>((done) => tar.entry({ name: `s1/${name}`, type: 'file' }, bytes, () => done()))
    tar.finalize()
  }
  void put()
  return Readable.from(tar)
}

const order = Buffer.from(
  formatOrder([
    { kind: 'stdout', at: 5, length: 3 },
    { kind: 'stderr', at: 6, length: 2 },
  ]),
)
const files = { stdout: Buffer.from('one, unseen'), stderr: Buffer.from('no'), 'order.0': order }

async function textOf(session: DeadSession | null, from = 0): Promise<string> {
  let text = ''
  for await (const { stream, bytes } of session!.frames(from)) text += `${stream} ${bytes.toString()}\n`
  return text
}

function inUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Without garbage, which on a busy machine waits long for its collection and does not count. */
function inUseAfterCollecting(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect() // waits for memory outside of the heap that the first one frees
  return inUse()
}

test("a session's output is read from its folder, and nothing of the copy stays", async () => {
  const session = await DeadSession.read(folderOf(files), join(root, 'copy'), 7)
  expect(await textOf(session)).toBe('stdout one\nstderr no\nstdout , unseen\n')
  await session?.close()
  expect(existsSync(join(root, 'copy'))).toBe(false)
})

test('a session that has removed one of its files has the other', async () => {
  const session = await DeadSession.read(folderOf({ stderr: files.stderr, 'order.0': order }), join(root, 'copy'), 7)
  expect(await textOf(session)).toBe('stderr no\n')
  await session?.close()
})

test('files that a session has made large take no memory', async () => {
  const heads = Buffer.alloc(100 * MIB - ((100 * MIB) % order.length))
  for (let at = 0; at < heads.length; at += order.length) heads.set(order, at)
  const note = Buffer.alloc(300 * MIB, 'x')
  const allowed = inUse() + 100 * MIB
  let isLarge = false
  const look = setInterval(() => (isLarge ||= inUse() > allowed && inUseAfterCollecting() > allowed), 5)
  const tar = folderOf({ ...files, 'order.0': heads, 'session.json': note })
  const session = await DeadSession.read(tar, join(root, 'copy'), 7)
  expect(session?.end).toBeNull()
  for await (const { bytes } of session!.frames(0)) {
    expect(bytes.toString()).toBe('one')
    break
  }
  clearInterval(look)
  await session?.close()
  expect(isLarge).toBe(false)
})

test('an absent engine, a broken transfer and a full disk are waited for', async () => {
  const clock = new HandClock()
  const away = new EngineError('unreachable', 'Docker does not answer')
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const broken = new PassThrough()
  const answers: (() => Readable)[] = [
    () => {
      throw away
    },
    () => {
      throw full
    },
    () => {
      void setImmediate().then(() => broken.destroy())
      return broken
    },
    () => folderOf(files),
  ]
  let asked = 0
  const archive = async () => answers[asked++]!()
  const reading = readDead({ archive, folder: join(root, 'copy'), clock, leave: never })
  let session: DeadSession | null | undefined
  void reading.then((read) => (session = read))
  while (session === undefined) {
    await setImmediate()
    await clock.advance(1_000)
  }
  expect(await textOf(session)).toContain('stdout one')
  expect(asked).toBe(4)
  await session?.close()
})

test('a container that is gone has no session, and a caller that has left no longer waits', async () => {
  const options = { folder: join(root, 'copy'), clock: new HandClock() }
  const gone = async () => {
    throw new EngineError('refused', 'the container is gone')
  }
  expect(await readDead({ ...options, archive: gone, leave: never })).toBeNull()
  expect(await readDead({ ...options, archive: async () => null, leave: never })).toBeNull()
  expect(await readDead({ ...options, archive: async () => folderOf(files), leave: AbortSignal.abort() })).toBeNull()
})
