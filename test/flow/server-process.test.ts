// @suite flow-long
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { beadloom, CommandLine, startedServer } from '../support/command-line.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'

/* The server as a process: how it stops, what a kill leaves behind, and what it says meanwhile. */
let folder: string
const lines: CommandLine[] = []
const executions: string[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-process-'))
  chmodSync(folder, 0o755)
})
afterAll(async () => {
  for (const line of lines) {
    line.child.kill('SIGTERM')
    await line.ended
  }
  // A stopping server leaves its containers to the next one; here is none.
  for (const container of executions.map(containersOf)) if (container) execFileSync('docker', ['rm', '-f', container])
  rmSync(folder, { recursive: true, force: true })
})

const start = async (...given: Parameters<typeof startedServer>) => {
  const started = await startedServer(...given)
  lines.push(started.line)
  return started
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
/** Resolves when a process that is not our child has ended; it ends with its wrapper. */
const gone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
}

/** A server with one execution whose agent runs and does not end by itself. */
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

describe('a server that is told to stop', () => {
  test.concurrent.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s ends with 0 while an agent runs, and tells its clients',
    async (signal) => {
      const { line, up, following } = await serverAtWork(signal)
      line.child.kill(signal)
      expect((await line.ended).code).toBe(0)
      await gone(up.pid)
      following.child.kill('SIGINT')
      expect((await following.ended).stderr).toContain('lost the connection to the server; reconnecting')
    },
  )

  test('ends with the script that started it, even if that was killed', async () => {
    const { line, up } = await start(join(folder, 'orphan'))
    line.child.kill('SIGKILL')
    await gone(up.pid)
    expect((await beadloom(['status', '--data', join(folder, 'orphan')])).code).toBe(3)
  })
})

describe('a server that was killed', () => {
  test('leaves a file that misleads nobody; the next one starts, takes up what ran, and says what becomes of it', async () => {
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
    // Only new events are reported, not those that the server before reported.
    expect(next.stdout).not.toContain('RUNNING')
    // The follower found the new server by itself, on another port, and its log had no line twice.
    expect(await following.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('w-1 CANCELLED') })
    expect(following.stdout.match(/started$/gm)).toHaveLength(1)
    const { stdout } = await beadloom(['status', '--data', data, '--json'])
    expect(JSON.parse(stdout) as ServerStatus).toMatchObject({ slots: { used: 0 } })
  })
})

test('the log of a server reports each attempt, and the results of its checks', async () => {
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
