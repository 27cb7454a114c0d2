import { createInterface } from 'node:readline'
import { EngineError } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import { CannotStart, outOf, startProcess } from '../../process/start-process.ts'

const LAST_LINES = 20

export type Command = {
  program: string
  args: string[]
  cwd: string
  timeoutMs: number
}

/**
 * Runs a program on the host with the server's own environment (its proxy, its certificates). When `signal` aborts or
 * the time is up, its whole process group is killed. Throws `EngineError('image-build-failed')` with the last lines.
 */
export async function runCommand(
  command: Command,
  clock: Clock,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { program, args, cwd, timeoutMs } = command
  const child = start(program, args, cwd)
  child.stdin.end()
  const last: string[] = []
  const hear = (line: string): void => {
    last.push(line)
    if (last.length > LAST_LINES) last.shift()
    onLine(line)
  }
  createInterface(child.stdout).on('line', hear)
  createInterface(child.stderr).on('line', hear)
  const done = new AbortController()
  const killAll = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // it is gone already
    }
  }
  const either = AbortSignal.any([done.signal, signal])
  const watched = clock.sleep(timeoutMs, either).then(() => {
    if (!done.signal.aborted) killAll()
  })
  const code = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (exit, killed) => resolve(exit ?? killed ?? 'unknown'))
  })
  done.abort()
  await watched
  if (code === 0) return
  if (signal.aborted) throw new EngineError('refused', `stopped while ${program} was running`)
  throw new EngineError(
    'image-build-failed',
    [`${program} failed (${code})`, ...last.map((line) => `  ${line}`)].join('\n'),
  )
}

function start(program: string, args: string[], cwd: string): ReturnType<typeof startProcess> {
  try {
    return startProcess(program, args, { cwd, detached: true })
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    const why = outOf(error.code) ?? error.code
    throw new EngineError('image-build-failed', `${program} could not be started: ${why}`, { cause: error })
  }
}
