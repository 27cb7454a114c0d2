// @suite flow-long
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { SUPERVISOR_FOLDER } from '@beadloom/core/execution/session-order.ts'
import { dockerIsHere, DockerWorld } from '../../apps/server/src/container/testing/docker-world.ts'
import { useDocker } from '../../apps/server/src/container/testing/use-docker.ts'
import { buildSupervisor, DockerSandbox, SPOOLS } from '../support/docker-sandbox.ts'
import { SessionRecord, SupervisedServer } from '../support/link/supervised-server.ts'

/* The supervisor of a session in a real container with our settings, and what the session can do to it. */

const BUNDLES = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'supervisor')

const here = await dockerIsHere(process.env)

/** Attacks of the same user on process 1 and on its parent, the supervisor. */
const ATTACK = `
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long
def tried(work):
    try:
        work()
        return 'yes'
    except OSError as error:
        return error.strerror
def attach(pid):
    if libc.ptrace(16, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    os.waitpid(pid, 0x40000000)
    libc.ptrace(17, pid, None, None)
found = {}
for name, pid in (('one', 1), ('supervisor', os.getppid())):
    at = '/proc/%d/' % pid
    found[name] = {
        'trace': tried(lambda: attach(pid)),
        'memory': tried(lambda: open(at + 'mem', 'rb').close()),
        'descriptors': tried(lambda: os.listdir(at + 'fd')),
        'environment': tried(lambda: open(at + 'environ').read()),
        'kill': tried(lambda: os.kill(pid, 0)),
    }
print(json.dumps(found))
`

describe.skipIf(!here)('the supervisor in a container', () => {
  const docker = useDocker()
  let supervisor: string
  beforeAll(async () => {
    supervisor = await buildSupervisor(docker.world)
  }, 600_000)
  const open = (more: { shell?: string; memoryBytes?: number; processes?: number } = {}) =>
    DockerSandbox.open(docker.world, { image: docker.image, supervisor, ...more })

  test('runs a session as the user of the sandbox, and the session leaves nothing', async () => {
    await using sandbox = await open()
    const { stdout } = await sandbox.run('s-1', 'id -u; sleep 1000 & setsid sleep 1000 &')
    expect(stdout.toString()).toBe('1000\n')
    const { stdout: alive } = await sandbox.run('s-2', 'ls -d /proc/[0-9]* | wc -l')
    expect(Number(alive)).toBeLessThanOrEqual(5)
  })

  test('keeps unreadable programs from being looked into by their own user', async () => {
    await using sandbox = await open()
    const { stdout, stderr } = await sandbox.run('s-1', ['python3', '-c', ATTACK])
    expect(stderr.toString()).toBe('')
    const closed = {
      trace: 'Operation not permitted',
      memory: 'Permission denied',
      descriptors: 'Permission denied',
      environment: 'Permission denied',
      kill: 'yes',
    }
    expect(JSON.parse(stdout.toString())).toEqual({ one: closed, supervisor: closed })
    await using plain = await open({ shell: '/bin/sh' })
    const attacked = await plain.run('s-1', ['python3', '-c', ATTACK])
    expect(JSON.parse(attacked.stdout.toString())).toMatchObject({ one: { environment: 'yes' }, supervisor: closed })
  })

  test('gets neither SIGKILL nor SIGSTOP as process 1, and is there again after a kill', async () => {
    await using sandbox = await open()
    await sandbox.run('s-1', 'for s in KILL STOP HUP INT QUIT SEGV PIPE USR1; do kill -s $s 1; done')
    expect(await sandbox.state()).toMatchObject({ starts: 1, sessions: [{ end: { code: 0 } }] })
    // Its answer may die with the supervisor.
    await sandbox.start('s-2', 'echo before; kill -KILL -1; echo after').catch(() => {})
    expect(await sandbox.ready(2)).toMatchObject({ starts: 2, clean: true })
    const { stdout, end } = await sandbox.read('s-2')
    expect({ stdout: stdout.toString(), how: end?.how }).toEqual({ stdout: 'before\nafter\n', how: 'unknown' })
    expect((await sandbox.run('s-3', 'echo next')).stdout.toString()).toBe('next\n')
    expect((await sandbox.container.inspect()).State).toMatchObject({ Running: true })
    expect((await sandbox.container.logs({ stderr: true })).toString()).toMatch(/supervisor ended with exit code 137/)
  })

  test('tells a session that ran out of memory from one that was killed', async () => {
    await using sandbox = await open({ memoryBytes: 200 * 1024 ** 2 })
    const { end } = await sandbox.run('s-1', ['python3', '-c', 'x = [bytearray(10**7) for _ in range(100)]'])
    expect(end).toMatchObject({ how: 'exited', signal: 'SIGKILL', memoryKills: expect.toSatisfy((n: number) => n > 0) })
    const killed = await sandbox.run('s-2', 'kill -KILL $$')
    expect(killed.end).toMatchObject({ how: 'exited', signal: 'SIGKILL', memoryKills: 0 })
    expect((await sandbox.state()).starts).toBe(1)
  })

  test('survives a session of many small processes that runs out of memory', async () => {
    await using sandbox = await open({ memoryBytes: 200 * 1024 ** 2 })
    const small = `python3 -c 'x = bytearray(b"x" * 8_000_000); import time; time.sleep(1000)' &`
    const killed =
      'grep -q "oom_kill [1-9]" /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null'
    await sandbox.start('s-1', `for i in $(seq 40); do ${small} done; until ${killed}; do :; done`)
    const { end } = await sandbox.read('s-1')
    expect(end).toMatchObject({ how: 'exited', memoryKills: expect.toSatisfy((n: number) => n > 0) })
    expect(await sandbox.state()).toMatchObject({ starts: 1, clean: true })
  })

  test('ends a session that uses up all processes, and the next one has them again', async () => {
    await using sandbox = await open({ processes: 128 })
    await sandbox.start('s-1', `echo up; bomb() { bomb | bomb & }; bomb; while :; do :; done 2>/dev/null`)
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stderr')) // fork is refused
    await sandbox.order('session-stop', { session: 's-1', graceMs: 100 })
    expect((await sandbox.run('s-2', 'ls -d /proc/[0-9]* | wc -l')).stdout.toString().trim()).toMatch(/^[2-5]$/)
  })

  test('keeps dead orphans from using up the processes of a session', async () => {
    await using sandbox = await open({ processes: 64 })
    const { stdout, end } = await sandbox.run('s-1', 'for i in $(seq 1000); do (setsid /bin/true &); done; echo fine')
    expect({ stdout: stdout.toString(), code: end?.code }).toEqual({ stdout: 'fine\n', code: 0 })
  })

  test('lets only the carriers of the link, of all that the engine starts in it, outlive a session', async () => {
    await using sandbox = await open()
    const carrier = await sandbox.exec('exec sleep 1000')
    const other = await sandbox.exec('exec sleep 1000')
    await sandbox.order('carrier', { pid: carrier })
    await sandbox.run('s-1', 'true')
    const { stdout } = await sandbox.run('s-2', `ls -d /proc/${carrier} /proc/${other} 2>/dev/null`)
    expect(stdout.toString()).toBe(`/proc/${carrier}\n`)
  })

  test('ends a session that poses as a carrier all the same', async () => {
    await using sandbox = await open()
    for (let pid = 1; pid < 200; pid++) await sandbox.order('carrier', { pid })
    await sandbox.run('s-1', 'setsid sleep 1000 & sleep 1000 & echo')
    expect((await sandbox.run('s-2', 'ls -d /proc/[0-9]* | wc -l')).stdout.toString().trim()).toMatch(/^[2-5]$/)
  })

  test('ends the session in order when the container ends, and its output is read from the dead container', async () => {
    await using sandbox = await open()
    await sandbox.start('s-1', `trap 'echo saved; exit 0' TERM; seq 100000; while :; do sleep 0.05; done`)
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stdout'))
    await sandbox.container.stop({ t: 10 })
    expect((await sandbox.container.inspect()).State.ExitCode).toBe(143)
    const tar = (await sandbox.archive(`${SPOOLS}/s-1`)).toString('latin1')
    expect(tar).toContain('\n99999\n100000\nsaved\n')
    expect(tar).toContain('"how":"stopped"')
  })

  test('loses nothing written when the container gets a SIGKILL', async () => {
    await using sandbox = await open()
    await sandbox.start('s-1', 'seq 200000; echo last; exec sleep 1000')
    await sandbox.read('s-1', 0, ({ order }, offset) => order.includes('stdout') && offset > 1_000_000)
    await sandbox.container.kill()
    expect((await sandbox.archive(`${SPOOLS}/s-1/stdout`)).toString('latin1')).toContain('\n200000\nlast\n')
  })

  test('through the engine alone: servers that die record a session, with nothing in between but exec', async () => {
    const world = await DockerWorld.open(process.env, { supervisorFolder: BUNDLES })
    const magic = randomBytes(16)
    const spec = { linkFolder: null, magic: magic.toString('hex'), processes: 256 }
    const { id } = await world.create(await world.runtimeImage(), '', spec)
    const newServer = async () => {
      const server = new SupervisedServer(magic)
      for (let isTaken = false; !isTaken;) {
        const carrier = await world.engine.carrier(id)
        server.carry(carrier)
        const ended = new Promise((resolve) => carrier.input.once('close', resolve))
        isTaken = await Promise.race([server.link().then(() => true), ended.then(() => false)])
      }
      return server
    }
    try {
      await world.engine.start(id)
      let server = await newServer()
      // Carriers note themselves in a folder that the session may remove.
      await server.start('s-1', `rm -rf ${SUPERVISOR_FOLDER}/carriers; seq 1000000; exit 3`)
      const record = new SessionRecord()
      for (let death = 1; !record.end; death++) {
        await server.record('s-1', record, () => record.reader.complete > death * 1_500_000)
        if (record.end) break
        server.close()
        server = await newServer()
      }
      expect(record).toMatchObject({ end: { how: 'exited', code: 3 }, gaps: [] })
      const hash = createHash('sha256')
      for (const part of record.stdout) hash.update(part)
      expect(hash.digest('hex')).toBe(
        execFileSync('sh', ['-c', 'seq 1000000 | sha256sum'], { encoding: 'utf8' }).slice(0, 64),
      )
      await server.start('s-2', 'true') // ends all leftovers, but not the carrier
      await server.record('s-2', new SessionRecord())
      expect(await server.state()).toMatchObject({ starts: 1, clean: true })
      server.close()
    } finally {
      await world.close()
    }
  })

  test('costs little memory while it waits', async () => {
    await using first = await open()
    await using second = await open()
    for (const sandbox of [first, second]) {
      const { State } = await sandbox.container.inspect()
      const children = execFileSync('pgrep', ['-P', String(State.Pid)], { encoding: 'utf8' }).trim()
      const status = execFileSync('grep', [
        '-hE',
        'VmRSS|RssAnon|RssFile|VmPTE',
        `/proc/${State.Pid}/status`,
        `/proc/${children}/status`,
      ])
      const pss = execFileSync('grep', ['-h', '^Pss:', `/proc/${children}/smaps_rollup`])
      const { memory_stats: memory } = (await sandbox.container.stats({ stream: false })) as { memory_stats: { usage: number; stats: Record<string, number> } } // prettier-ignore
      console.info(`${status}${pss}cgroup: usage ${memory.usage}, ${JSON.stringify(memory.stats)}`)
      expect(memory.stats['rss'] ?? memory.stats['anon']).toBeLessThan(30 * 1024 ** 2)
    }
  })
})
