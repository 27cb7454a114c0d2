import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { runCommand, shell, type CommandSpec, type OnOutput } from './run-command.ts'
import { tempFolder } from '../testing/temp-folder.ts'

const base = { cwd: '/', env: { PATH: process.env['PATH'] }, timeoutMs: 60_000 }

async function run(line: string, more: Partial<CommandSpec> = {}, onOutput?: OnOutput) {
  const streams = { stdout: '', stderr: '' }
  const take: OnOutput = onOutput ?? ((stream, text) => void (streams[stream] += text))
  const end = await runCommand({ ...base, argv: shell(line), ...more }, take, systemClock)
  return { ...end, ...streams }
}

/** Whether the process runs. A zombie does nothing any more. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until it is dead: a signal is delivered at once, but the kernel takes a moment to act on it. */
const isDead = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)

test('output and exit code come through', async () => {
  const { stdout, stderr, exitCode, reason } = await run('echo out; echo err >&2; exit 3')
  expect({ stdout, stderr, exitCode, reason }).toEqual({
    stdout: 'out\n',
    stderr: 'err\n',
    exitCode: 3,
    reason: 'exited',
  })
})

test('standard input is the given text, or empty', async () => {
  expect((await run('cat', { stdin: 'the prompt ü' })).stdout).toBe('the prompt ü')
  expect((await run('cat; echo end')).stdout).toBe('end\n')
})

test('a command need not read its input', async () => {
  expect(await run('exec true', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0, reason: 'exited' })
})

test('a command finds its standard streams by name, as in any terminal', async () => {
  const { stdout, stderr } = await run('cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr', {
    stdin: 'in\n',
  })
  expect({ stdout, stderr }).toEqual({ stdout: 'in\nout\n', stderr: 'err\n' })
})

test('bash does not take its input for a remote login', async () => {
  const home = await tempFolder()
  await writeFile(join(home, '.bashrc'), 'echo sourced')
  const env = { ...base.env, HOME: home }
  expect((await run('', { argv: ['bash', '-c', 'echo done'], env, stdin: 'x' })).stdout).toBe('done\n')
})

test('bad bytes become U+FFFD, and a character that is cut by a chunk stays whole', async () => {
  const { stdout } = await run(`printf '\\377\\342\\202'; sleep 0.05; printf '\\254'`)
  expect(stdout).toBe('\ufffd€')
})

test('a program that does not exist is 127', async () => {
  expect(await run('no-such-program-here')).toMatchObject({ exitCode: 127, reason: 'exited' })
  expect(await run('', { argv: ['no-such-program-here'] })).toMatchObject({ exitCode: 127, reason: 'not-started' })
})

test.each([
  ['a zero byte', 'echo a\0b'],
  ['more than the kernel takes', `echo ${'x'.repeat(3_000_000)}`],
])('a command line with %s is an ordinary failure', async (_name, line) => {
  expect(await run(line)).toMatchObject({ reason: 'not-started', exitCode: 126 })
})

test('the time limit ends the whole group, including processes that ignore SIGTERM', async () => {
  const end = await run(`trap '' TERM; (trap '' TERM; sleep 1000) & echo $!; wait`, {
    timeoutMs: 300,
    killGraceMs: 100,
  })
  expect(end).toMatchObject({ reason: 'timed-out', exitCode: 137 })
  await isDead(Number(end.stdout))
})

test('a command can be stopped, even before it starts', async () => {
  const stopper = new AbortController()
  const end = run('echo ready; sleep 1000', { signal: stopper.signal }, () => stopper.abort())
  expect(await end).toMatchObject({ reason: 'stopped', exitCode: 143 })
  expect(await run('echo no', { signal: stopper.signal })).toMatchObject({ reason: 'stopped', stdout: '' })
})

test('a background child that keeps the pipe open does not outlive its command', async () => {
  const { stdout, exitCode } = await run('sleep 1000 & echo $!')
  expect(exitCode).toBe(0)
  await isDead(Number(stdout))
})

test('a child that left the group and keeps the pipe open is not waited for', async () => {
  const { stdout, reason } = await run('setsid sleep 1000 & echo $!; sleep 0.1')
  expect(reason).toBe('exited')
  process.kill(Number(stdout))
})

test('a child that left the group and floods the pipe is cut off', async () => {
  const { stdout, reason } = await run('setsid sh -c "echo $$; exec yes" & sleep 0.1')
  expect(reason).toBe('exited')
  expect(stdout.length).toBeGreaterThan(0)
})

test('a slow reader slows the command down instead of filling the memory', async () => {
  let delivered = 0
  let pending = 0
  let most = 0
  const end = await run('head -c 20000000 /dev/zero', {}, async (_stream, text) => {
    pending += text.length
    most = Math.max(most, pending)
    await new Promise(setImmediate)
    delivered += text.length
    pending -= text.length
  })
  expect(end.exitCode).toBe(0)
  expect(delivered).toBe(20_000_000)
  expect(most).toBeLessThanOrEqual(64 * 1024)
})

test('an error of the reader ends the command and is passed on', async () => {
  const end = run('yes', {}, () => {
    throw new Error('no room')
  })
  await expect(end).rejects.toThrow('no room')
})
