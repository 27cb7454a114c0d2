import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionView, ServerStatus } from '@beadloom/core/api/api.ts'
import { beadloom, CommandLine, startedServer } from '../support/command-line.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'

/*
 * The server as a process: how it refuses to start, how it stops, and what a kill leaves behind.
 */
let folder: string
const lines: CommandLine[] = []
const executions: string[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-process-'))
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  for (const line of lines.splice(0)) {
    line.child.kill('SIGTERM')
    await line.ended
  }
  // A server that stops leaves them to the next one, and here is none.
  for (const container of executions.splice(0).map(containersOf))
    if (container) execFileSync('docker', ['rm', '-f', container])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = async (...given: Parameters<typeof startedServer>) => {
  const started = await startedServer(...given)
  lines.push(started.line)
  return started
}
const refused = async (args: string[], options?: Parameters<typeof beadloom>[1]) => {
  const { code, stdout, stderr } = await beadloom(['start', '--port', '0', '--no-demo', ...args], options)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^beadloom: /)
  expect(stderr).not.toMatch(/^ +at /m)
  return stderr
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
/** The end of a process that is not our child; it comes with its wrapper's. */
const gone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
}

/** A server with one execution whose agent runs and will not end by itself. */
async function serverAtWork(name: string) {
  const data = join(folder, name)
  const started = await start(data)
  const agent = 'cat > /dev/null; echo half > half.txt; echo started; sleep 600\n'
  const tree = makeRepository(join(folder, `${name}-tree`), {
    '.beads/issues.jsonl': issues({ id: 'w-1', title: 'Work' }),
    ...shellProject({ agent }),
  })
  await beadloom(['project', 'add', tree, '--id', 'work', '--data', data])
  const { stdout } = await beadloom(['run', 'w-1', '--data', data, '--json'])
  const { id } = JSON.parse(stdout) as ExecutionView
  executions.push(id)
  const following = new CommandLine(['logs', '-f', id, '--data', data])
  await following.says(/started$/m)
  return { ...started, data, id, following }
}

const containersOf = (id: string): string =>
  execFileSync('docker', ['ps', '-aq', '--filter', `label=beadloom.execution=${id}`], { encoding: 'utf8' }).trim()

describe('a start that cannot work ends with a sentence that says what to do', () => {
  test('when another server uses the data folder', async () => {
    const data = join(folder, 'taken')
    const { up } = await start(data)
    expect(await refused(['--data', data])).toBe(
      `beadloom: another Beadloom server uses ${data}: stop it, or start this one with another data folder. It is running at ${up.url} (beadloom status --data ${data})\n`,
    )
    // The one that was there is not harmed.
    expect((await beadloom(['status', '--data', data])).code).toBe(0)
  })

  test('when the port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    expect(await refused(['--data', join(folder, 'port'), '--port', String(port)])).toContain(
      `port ${port} on 127.0.0.1 is in use, perhaps by another Beadloom. Choose another port with --port`,
    )
    other.close()
  })

  test('when a file is in the way of the data folder', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, 'mine')
    for (const data of [file, join(file, 'below')]) {
      expect(await refused(['--data', data])).toMatch(
        new RegExp(`the data folder ${data} cannot be used .*Choose another one with --data`),
      )
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
    // The system refuses this one as if its parent were missing.
    expect(await refused(['--data', '/proc/beadloom/data'])).toContain(
      'the data folder /proc/beadloom/data cannot be used',
    )
  })

  test('when the data folder may not be written', async () => {
    const data = join(folder, 'read-only')
    mkdirSync(data, { mode: 0o555 })
    // Root may write everywhere.
    const options = process.getuid?.() === 0 ? { uid: 65_534, env: { HOME: '/nonexistent' } } : {}
    expect(await refused(['--data', data], options)).toMatch(
      new RegExp(`cannot write to the data folder ${data} .*use another data folder`),
    )
    expect(await refused(['--data', join(data, 'below')], options)).toContain(
      `the data folder ${join(data, 'below')} cannot be used (EACCES`,
    )
  })

  test('when settings are off: all of them at once, each by its name', async () => {
    const data = join(folder, 'settings')
    mkdirSync(data)
    writeFileSync(join(data, 'config.json'), JSON.stringify({ colour: 'red', demo: 'perhaps' }))
    const stderr = await refused(['--data', data, '--port', '99999', '--host', '0.0.0.0'], {
      env: { BEADLOOM_SLOTS: 'many', OPENAI_BASE_URL: 'nonsense' },
    })
    for (const name of ['--port', '--host', 'BEADLOOM_SLOTS', 'OPENAI_BASE_URL', '"colour"', '"demo"'])
      expect(stderr).toContain(name)
    writeFileSync(join(data, 'config.json'), '{')
    expect(await refused(['--data', data])).toContain('config.json: not JSON')
    rmSync(join(data, 'config.json'))
    mkdirSync(join(data, 'config.json'))
    expect(await refused(['--data', data])).toContain(`${join(data, 'config.json')} cannot be read`)
  })

  test('when an address, a key or a file cannot be one', async () => {
    const data = ['--data', join(folder, 'addresses')]
    expect(await refused(data, { env: { OPENAI_BASE_URL: 'http://me:secret@example.org/' } })).toContain(
      'OPENAI_BASE_URL contains a user name or password',
    )
    expect(await refused(data, { env: { OPENAI_API_KEY: 'two words' } })).toContain(
      'OPENAI_API_KEY has characters that cannot be part of a key',
    )
    expect(await refused(data, { env: { DOCKER_HOST: 'nonsense://' } })).toContain(
      'DOCKER_HOST cannot be "nonsense://"',
    )
    expect(await refused(data, { env: { PATH: folder } })).toContain('git is not installed')
    const both = await refused([...data, '--ca-bundle', '/nowhere.pem', '--scenarios', '/nowhere'])
    expect(both).toContain('/nowhere.pem cannot be read')
    expect(both).toContain('there is no folder /nowhere')
  })
})

describe('without Docker', () => {
  test('the server is up, says that nothing runs, and what to do', async () => {
    const line = new CommandLine(['start', '--data', join(folder, 'away'), '--port', '0'], {
      env: { DOCKER_HOST: 'tcp://127.0.0.1:1' },
    })
    lines.push(line)
    await line.says(/✕ Nothing can run until Docker answers: .*set DOCKER_HOST/)
    expect(line.stdout).toContain('Beadloom is up: http://127.0.0.1:')
  })
})

describe('a server that is told to stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s ends with 0 while an agent runs, and who follows is told',
    async (signal) => {
      const { line, up, following } = await serverAtWork(signal)
      line.child.kill(signal)
      expect((await line.ended).code).toBe(0)
      await gone(up.pid)
      following.child.kill('SIGINT')
      expect((await following.ended).stderr).toContain('lost the connection to the server; reconnecting')
    },
  )

  test('ends with the script that started it, also when that was killed', async () => {
    const { line, up } = await start(join(folder, 'orphan'))
    line.child.kill('SIGKILL')
    await gone(up.pid)
    expect((await beadloom(['status', '--data', join(folder, 'orphan')])).code).toBe(3)
  })
})

describe('a server that was killed', () => {
  test('leaves a file that fools nobody; the next one comes up, takes up what ran, and says what becomes of it', async () => {
    const { data, up, id, following } = await serverAtWork('killed')
    process.kill(up.pid, 'SIGKILL')
    await gone(up.pid)
    expect(readFileSync(join(data, 'server.json'), 'utf8')).toContain(up.url)
    expect(await beadloom(['status', '--data', data])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining(`no Beadloom server is running on ${data}`),
    })
    const container = containersOf(id)
    expect(container).not.toBe('')

    const next = new CommandLine(['start', '--data', data, '--port', '0'])
    lines.push(next)
    await next.says(/the server was restarted during attempt 1; its container kept running/)
    expect(containersOf(id)).toBe(container)
    expect(await beadloom(['cancel', 'w-1', '--data', data])).toMatchObject({ code: 0 })
    await next.says(/w-1 +CANCELLED .* saved on refs\/beadloom\//)
    // Only what happens now is told, not what the server before had told already.
    expect(next.stdout).not.toContain('RUNNING')
    // Who followed has found the new server by itself, on another port, and its log had no line twice.
    expect(await following.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('w-1 CANCELLED') })
    expect(following.stdout.match(/started$/gm)).toHaveLength(1)
    const { stdout } = await beadloom(['status', '--data', data, '--json'])
    expect(JSON.parse(stdout) as ServerStatus).toMatchObject({ slots: { used: 0 } })
  })
})

test('the log of a server tells each attempt, and what its checks said (R4-031, R4-039, R4-087)', async () => {
  const data = join(folder, 'told')
  const { line } = await start(data, ['--log-level', 'info'])
  const agent = 'cat > /tmp/p; grep -q "Bead #t-2 " /tmp/p && exit 3; [ -f half ] && touch whole; touch half\n'
  const tree = makeRepository(join(folder, 'told-tree'), {
    '.beads/issues.jsonl': issues({ id: 't-1', title: 'Half' }, { id: 't-2', title: 'Break' }),
    ...shellProject({ agent, test: '[ -f whole ] || { echo "FAIL half of it"; exit 1; }\n' }),
  })
  await beadloom(['project', 'add', tree, '--id', 'told', '--data', data])
  expect(await beadloom(['run', 't-1', '--wait', '--data', data])).toMatchObject({ code: 0 })
  expect(await beadloom(['run', 't-2', '--wait', '--data', data])).toMatchObject({ code: 10 })
  const names: Record<number, string> = { 30: 'info', 40: 'warn', 50: 'error' }
  const told = line.stderr
    .split('\n')
    .filter((text) => /Starting retry attempt|Session failed|Verification (?:passed|failed)/.test(text))
    .map((text) => JSON.parse(text) as { level: number; msg: string; attempt?: number })
    .map(({ level, msg, attempt }) => [names[level], msg, attempt])
  expect(told).toEqual([
    ['warn', 'Verification failed', 1],
    ['info', 'Starting retry attempt', 2],
    ['info', 'Verification passed', 2],
    ['error', 'Session failed, not retrying', undefined],
  ])
})
