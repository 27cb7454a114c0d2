import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'

/** The process never started. `code` is the system's name for the reason: EMFILE, ENOMEM, EAGAIN. */
export class CannotStart extends Error {
  override name = 'CannotStart'
  readonly code: string

  constructor(program: string, code: string) {
    super(`${program} could not be started (${code})`)
    this.code = code
  }
}

/** Names the resource that the server has run out of, as the end of a sentence; null for every other reason. */
export function outOf(code: string): string | null {
  switch (code) {
    case 'EMFILE':
      return 'the server may not open more files (EMFILE). Raise the limit (ulimit -n) if it happens often'
    case 'ENFILE':
      return 'the machine may not open more files (ENFILE). End other programs if it happens often'
    case 'ENOMEM':
      return 'the machine has no memory left (ENOMEM). End other programs or give it more'
    case 'EAGAIN':
      return 'the machine may not start more processes (EAGAIN). End other programs if it happens often'
    default:
      return null
  }
}

/** Names the resource whose lack caused this error, directly or through its causes; null: none. */
export function shortOf(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < MOST_CAUSES; at = at.cause, depth++) {
    const text = 'code' in at && typeof at.code === 'string' ? outOf(at.code) : null
    if (text !== null) return text
  }
  return null
}

const MOST_CAUSES = 10

let latest: NodeJS.ErrnoException | null = null

/** The error of the last process that could not be started; null: none. For libraries that lose this error. */
export const latestFailure = (): NodeJS.ErrnoException | null => latest

/*
 * Node reports some failures by an event in the next tick, and when file descriptors run out, a process has no streams.
 * Code that uses the streams then throws before it adds a listener, and the event ends the server. So every process
 * that could not be started gets a listener here, including those of libraries.
 */
channel('tracing:child_process.spawn:error').subscribe((message) => {
  const { process: child, error } = message as { process: ChildProcess; error: NodeJS.ErrnoException }
  latest = error
  child.on('error', ignore)
})

type Options = Pick<SpawnOptions, 'cwd' | 'env' | 'detached' | 'timeout' | 'killSignal'>

/**
 * Starts a process whose three streams are pipes. Only simple-git starts any elsewhere in the server.
 * Throws `CannotStart` when there are no streams; other failures (no such program) come as the process's event `error`.
 * A stream that breaks simply ends: its reader sees the end, never an uncaught error.
 */
export function startProcess(
  program: string,
  args: readonly string[],
  options: Options,
): ChildProcessWithoutNullStreams {
  const child = tryToStart(program, args, options)
  const streams = [child.stdin, child.stdout, child.stderr] as (NodeJS.EventEmitter | null | undefined)[]
  if (!streams.every((stream) => stream)) throw new CannotStart(program, latest?.code ?? 'EMFILE')
  for (const stream of streams) stream?.on('error', ignore)
  return child
}

function tryToStart(program: string, args: readonly string[], options: Options): ChildProcessWithoutNullStreams {
  try {
    return spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  } catch (error) {
    // ENOMEM, and other codes of the system. A bug of ours (a zero byte in an argument) has another kind of code.
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall?.startsWith('spawn') && code !== undefined) throw new CannotStart(program, code)
    throw error
  }
}

function ignore(): void {}
