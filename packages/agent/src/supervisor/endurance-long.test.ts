// @suite unit-long
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import type { SessionNote } from '@beadloom/core/supervisor/session-note.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../testing/temp-folder.ts'
import type { Output } from './testing/orders.ts'
import { Sandbox, whyNoNamespace } from './testing/sandbox.ts'

const hash = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const MIB = 1024 * 1024

/** Returns the same numbers at every repetition. */
function chance(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

const seqHash = (count: number): string =>
  execFileSync('sh', ['-c', `seq ${count} | sha256sum`], { encoding: 'utf8' }).slice(0, 64)

/**
 * A session waits for this file. `goWhen` returns the arguments of `run` that create it at the first note of this kind.
 */
const UNTIL_GO = 'until [ -e "$GO" ]; do :; done'
function goWhen(sandbox: Sandbox, kind: SessionNote['note']): [Partial<SessionStart>, (output: Output) => boolean] {
  const go = join(sandbox.folder, 'go')
  const look = ({ notes }: Output): boolean => {
    if (notes.some(({ note }) => note === kind)) writeFileSync(go, '')
    return false
  }
  return [{ env: { PATH: process.env['PATH'] ?? '', GO: go } }, look]
}

describe.skipIf(whyNoNamespace() !== null)('a spool under load', () => {
  test('stops its session at a bound of 2 MiB again and again, and each of 128 MB arrives once', async () => {
    await using sandbox = await Sandbox.open({ spoolBytes: 2 * MIB })
    // Half of it before the first stop, which it waits for.
    const more = goWhen(sandbox, 'held')
    const { stdout, notes, end, gaps } = await sandbox.run(
      's-1',
      `seq 8000000; ${UNTIL_GO}; seq 8000001 16000000`,
      ...more,
    )
    expect(hash(stdout)).toBe(seqHash(16_000_000))
    expect(gaps).toEqual([])
    expect(end).toMatchObject({ how: 'exited', code: 0 })
    const held = notes.filter(({ note }) => note === 'held')
    expect(held.length).toBeGreaterThan(0)
    // A session that ended just as it was to be stopped is not continued.
    expect([held.length, held.length - 1]).toContain(notes.filter(({ note }) => note === 'continued').length)
  })

  test('makes the session wait at the bound without a reader, with all its children, and continue when it is read', async () => {
    await using sandbox = await Sandbox.open({ spoolBytes: MIB })
    const [order, look] = goWhen(sandbox, 'continued')
    const flood = 'until [ -e "$GO" ]; do seq 10000; done'
    await sandbox.start('s-1', `${flood} & (setsid sh -c '${flood} >&2' &) ; wait`, order)
    await expect.poll(async () => (await sandbox.state()).sessions).toMatchObject([{ held: true }])
    const size = (name: string): number => statSync(join(sandbox.folder, 's-1', name)).size
    const before = [size('stdout'), size('stderr')]
    for (let times = 0; times < 20; times++) await sandbox.state()
    expect([size('stdout'), size('stderr')]).toEqual(before)
    const { stdout, notes, gaps } = await sandbox.read('s-1', 0, look)
    expect(notes.map(({ note }) => note)).toContain('continued')
    expect(gaps).toEqual([])
    expect(stdout.length).toBeGreaterThanOrEqual(before[0]!)
  })

  test('can be stopped while its session starts children without end, and no line of theirs is lost', async () => {
    await using sandbox = await Sandbox.open({ spoolBytes: 20_000 })
    const children = 'for i in $(seq 3000); do /bin/echo "line $i of a child"; done'
    const { stdout, notes, gaps } = await sandbox.run('s-1', children)
    expect(stdout.toString()).toBe(Array.from({ length: 3000 }, (_, i) => `line ${i + 1} of a child\n`).join(''))
    expect(gaps).toEqual([])
    expect(notes.filter(({ note }) => note === 'held').length).toBeGreaterThan(1)
  })

  test('keeps processes stopped that were stopped before, and continues those that it stopped', async () => {
    await using sandbox = await Sandbox.open({ spoolBytes: 200_000 })
    const line = `sleep 1000 & kill -STOP $!; seq 200000; ${UNTIL_GO}; grep '^State' /proc/$!/status; kill -KILL $!`
    const { stdout, notes } = await sandbox.run('s-1', line, ...goWhen(sandbox, 'continued'))
    expect(notes.map(({ note }) => note)).toContain('continued')
    expect(stdout.toString()).toMatch(/\n200000\nState:\tT \(stopped\)\n$/)
  })

  test('lets a held session be ended, with all its output', async () => {
    await using sandbox = await Sandbox.open({ spoolBytes: MIB })
    await sandbox.start('s-1', 'yes')
    await expect.poll(async () => (await sandbox.state()).sessions).toMatchObject([{ held: true }])
    const written = statSync(join(sandbox.folder, 's-1', 'stdout')).size
    await sandbox.order('session-stop', { session: 's-1', graceMs: 10 })
    const { stdout, end } = await sandbox.read('s-1')
    expect(stdout.length).toBe(written)
    expect(end).toMatchObject({ how: 'stopped', signal: 'SIGKILL', killed: true })
  })

  test('is read completely, each byte once, by servers that die again and again', async () => {
    await using sandbox = await Sandbox.open({ spoolBytes: 4 * MIB })
    const random = chance(1)
    await sandbox.start('s-1', 'seq 3000000')
    const parts: Buffer[] = []
    let durable = 0
    for (let last: Output | null = null; !last?.end;) {
      const dies = durable + random() * 3 * MIB
      last = await sandbox.read('s-1', durable, (_, offset) => (durable = offset) > dies)
      parts.push(last.stdout)
      expect(last.gaps).toEqual([])
    }
    expect(hash(Buffer.concat(parts))).toBe(seqHash(3_000_000))
  })

  test.each(Array.from({ length: 8 }, (_, round) => round))(
    'is served after a kill of its supervisor at any moment, at the former offsets (round %i)',
    async (round) => {
      await using sandbox = await Sandbox.open()
      const random = chance(round + 7)
      await sandbox.start('s-1', 'echo $PPID > "$PID_FILE"; seq 4000000 & seq 100000 >&2; wait; exec sleep 1000', {
        env: { PATH: process.env['PATH'] ?? '', PID_FILE: join(sandbox.folder, 'pid') },
      })
      let durable = 0
      const dies = random() * 5 * MIB
      const first = await sandbox.read('s-1', 0, (_, offset) => (durable = offset) > dies)
      sandbox.killSupervisor()
      await sandbox.ready(2)
      const [out, err] = ['stdout', 'stderr'].map((name) => readFileSync(join(sandbox.folder, 's-1', name)))
      const second = await sandbox.read('s-1', durable)
      expect(second.gaps).toEqual([])
      expect(hash(Buffer.concat([first.stdout, second.stdout]))).toBe(hash(out!))
      expect(hash(Buffer.concat([first.stderr, second.stderr]))).toBe(hash(err!))
    },
  )

  test.each(Array.from({ length: 6 }, (_, round) => round))(
    'keeps everything written by writers that are killed at any moment (round %i)',
    async (round) => {
      await using sandbox = await Sandbox.open()
      const random = chance(round + 70)
      const writer = (name: number): string => `(while :; do echo ${name} $((n=n+1)); done) &`
      await sandbox.start('s-1', `${[1, 2, 3, 4].map(writer).join(' ')} wait`)
      const dies = random() * MIB
      let durable = 0
      const first = await sandbox.read('s-1', 0, (_, offset) => (durable = offset) > dies)
      await sandbox.order('session-stop', { session: 's-1', graceMs: 0 })
      const written = readFileSync(join(sandbox.folder, 's-1', 'stdout'))
      const second = await sandbox.read('s-1', durable)
      const all = Buffer.concat([first.stdout, second.stdout])
      expect(hash(all)).toBe(hash(written))
      const seen = [0, 0, 0, 0, 0]
      for (const line of all.toString().split('\n').slice(0, -1)) {
        const [name = 0, count] = line.split(' ').map(Number)
        expect(count).toBe((seen[name] = (seen[name] ?? 0) + 1)) // each writer's lines once, in order
      }
    },
  )

  test('of thousands of short children, orphans among them, leaves no dead ones and loses no line', async () => {
    await using sandbox = await Sandbox.open()
    const { stdout, end } = await sandbox.run(
      's-1',
      `for i in $(seq 3000); do /bin/echo $i; done; for i in $(seq 1000); do (setsid /bin/true &); done; until ! grep -q '^State:.Z' /proc/[0-9]*/status 2>/dev/null; do :; done; echo none`,
    )
    expect(stdout.toString()).toBe(`${Array.from({ length: 3000 }, (_, i) => `${i + 1}\n`).join('')}none\n`)
    expect(end?.code).toBe(0)
  })

  test('serves a hundred sessions one after the other', async () => {
    await using sandbox = await Sandbox.open()
    for (let n = 1; n <= 120; n++) {
      const { stdout } = await sandbox.run(`s-${n}`, `echo ${n}; sleep 1000 & setsid sleep 1000 &`)
      expect(stdout.toString()).toBe(`${n}\n`)
    }
    const { sessions, starts } = await sandbox.state()
    expect({ starts, remembered: sessions.length }).toEqual({ starts: 1, remembered: 100 })
  })

  test('ends its container if the supervisor is killed too often, with the reason in its log', async () => {
    await using sandbox = await Sandbox.open()
    for (let starts = 1; starts <= 20; starts++) {
      await sandbox.ready(starts)
      await sandbox.start(`s-${starts}`, 'kill -KILL $PPID; sleep 1000').catch(() => {})
    }
    expect(await sandbox.exited()).toBe(70)
    expect(sandbox.words).toMatch(/killed 20 times/)
  })
})

const mounted: string[] = []
afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder])
})

/** A small disk; needs root. */
async function smallDisk(bytes: number): Promise<string> {
  const folder = join(await tempFolder(), 'disk')
  mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0777`, 'beadloom-test', folder])
  mounted.push(folder)
  return folder
}

describe.skipIf(whyNoNamespace() !== null || process.getuid?.() !== 0)('on a full disk', () => {
  test('the session learns it by its own writes, the server by a note, and earlier output is there', async () => {
    const disk = await smallDisk(2 * MIB)
    await using sandbox = await Sandbox.open({ folder: join(disk, 'sessions') })
    const { stdout, stderr, notes, end } = await sandbox.run(
      's-1',
      `echo begin; head -c 64000000 /dev/zero | tr '\\0' x; echo "code $?"; until [ -e ${disk}/../go ]; do sleep 0.1; done`,
      {},
      ({ notes: seen }) => {
        if (seen.some(({ note }) => note === 'disk-full')) writeFileSync(join(disk, '..', 'go'), '')
        return false
      },
    )
    expect(stdout.subarray(0, 10).toString()).toBe('begin\nxxxx')
    expect(stdout.length).toBeGreaterThan(MIB)
    expect(stderr.length).toBeGreaterThanOrEqual(0)
    expect(notes).toContainEqual({ note: 'disk-full' })
    expect(end).toMatchObject({ how: 'exited' })
  })

  test('the output on it is served and dropped, and the next session has room', async () => {
    const disk = await smallDisk(2 * MIB)
    await using sandbox = await Sandbox.open({ folder: join(disk, 'sessions') })
    await sandbox.start('s-1', `head -c 4000000 /dev/zero | tr '\\0' x; seq 1000; exit 0`)
    await expect.poll(async () => (await sandbox.state()).sessions).toMatchObject([{ state: 'ended' }])
    expect((await sandbox.read('s-1')).end).toMatchObject({ how: 'exited' })
    await expect
      .poll(() => statSync(join(disk, 'sessions', 's-1', 'stdout'), { throwIfNoEntry: false }))
      .toBeUndefined()
    expect((await sandbox.run('s-2', 'echo room')).stdout.toString()).toBe('room\n')
  })

  test('a session without room is refused, again and again, until there is some', async () => {
    const disk = await smallDisk(MIB)
    await using sandbox = await Sandbox.open({ folder: join(disk, 'sessions') })
    const ballast = join(disk, 'ballast')
    try {
      writeFileSync(ballast, Buffer.alloc(2 * MIB))
    } catch {
      // full, as it should be
    }
    for (let i = 0; i < 50; i++) expect(await sandbox.start('s-1', 'true')).toMatchObject({ refused: 'disk-full' })
    rmSync(ballast)
    expect((await sandbox.run('s-1', 'echo room')).stdout.toString()).toBe('room\n')
  })
})
