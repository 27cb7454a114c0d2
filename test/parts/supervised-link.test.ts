// @suite unit-long
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unshareCommand, whyNoNamespace } from '../../packages/agent/src/supervisor/testing/sandbox.ts'
import { SessionRecord, SupervisedServer } from '../support/link/supervised-server.ts'

/* The real supervisor with the real link at both ends, over the socket of a server that shares its host. */

const supervisor = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'src', 'supervisor')
const magic = randomBytes(16)
let folder: string
let sandbox: ChildProcess
let server: SupervisedServer
const socketPath = () => join(folder, 'link.sock')

async function newServer(): Promise<SupervisedServer> {
  rmSync(socketPath(), { force: true })
  const made = new SupervisedServer(magic)
  await made.listen(socketPath())
  return made
}

const seqHash = (count: number): string =>
  execFileSync('sh', ['-c', `seq ${count} | sha256sum`], { encoding: 'utf8' }).slice(0, 64)
const hashOf = ({ stdout }: SessionRecord): string => {
  const hash = createHash('sha256')
  for (const part of stdout) hash.update(part)
  return hash.digest('hex')
}
const firstChild = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])

describe.skipIf(whyNoNamespace() !== null)('a supervisor on the link', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beadloom-supervised-'))
    server = await newServer()
    const command = ['sh', join(supervisor, 'process-one.sh'), process.execPath, join(supervisor, 'main.ts')]
    const args = [...unshareCommand, ...command, folder, magic.toString('hex'), socketPath(), '-', '-']
    const env = { ...process.env, BEADLOOM_LINK_PORT: '0' }
    sandbox = spawn('unshare', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  })
  afterEach(async () => {
    server.close()
    const gone = once(sandbox, 'exit')
    sandbox.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  })

  test('starts a session, records its output and its end, and learns that they are stored', async () => {
    expect(await server.start('s-1', 'seq 100000; exit 4')).toMatchObject({ session: { state: 'running' } })
    const record = new SessionRecord()
    await server.record('s-1', record)
    expect(hashOf(record)).toBe(seqHash(100_000))
    expect(record).toMatchObject({ end: { how: 'exited', code: 4 }, gaps: [] })
    await expect
      .poll(async () => (await server.state()).sessions[0]?.spool)
      .toEqual({
        end: record.reader.complete,
        acknowledged: record.reader.complete,
      })
  })

  test('survives servers that die again and again without a gap or a repetition, and the last one learns of the end', async () => {
    await server.start('s-1', 'seq 2000000')
    const record = new SessionRecord()
    for (let death = 1; !record.end; death++) {
      await server.record('s-1', record, () => record.reader.complete > death * 2_000_000)
      if (record.end) break
      server.close()
      server = await newServer()
    }
    expect(hashOf(record)).toBe(seqHash(2_000_000))
    expect(record.gaps).toEqual([])
  })

  test('that is killed comes back to its server, with everything written and an end that nobody saw', async () => {
    await server.start('s-1', 'seq 1000000; exec sleep 1000')
    const record = new SessionRecord()
    await server.record('s-1', record, () => record.reader.complete > 500_000)
    const before = await server.link()
    process.kill(firstChild(firstChild(sandbox.pid!)), 'SIGKILL')
    while ((await server.link()) === before) await new Promise(setImmediate)
    const written = readFileSync(join(folder, 'sessions', 's-1', 'stdout'))
    await server.record('s-1', record)
    expect(record).toMatchObject({ end: { how: 'unknown' }, gaps: [] })
    expect(Buffer.concat(record.stdout).equals(written)).toBe(true)
    expect(await server.state()).toMatchObject({ starts: 2, clean: true })
  })
})
