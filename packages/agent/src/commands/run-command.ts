import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '../process/clock.ts'
import { openStreams, type StandardStreams } from '../output/standard-streams.ts'

export type Env = Record<string, string | undefined>

export type CommandSpec = {
  /** The program and its arguments; a command line is `['sh', '-c', line]`, see `shell`. */
  argv: [string, ...string[]]
  cwd: string
  env: Env
  timeoutMs: number
  /** Stops the command early; it still ends in order. */
  signal?: AbortSignal
  /** The standard input; empty if absent. */
  stdin?: string | Uint8Array
  /** False for a program that does not mind sockets as its standard streams, and starts sooner with them. */
  pipes?: boolean
  /** The time between SIGTERM and SIGKILL. */
  killGraceMs?: number
}

export type CommandEnd = {
  /** As a shell reports it: 128 + signal for a killed program, 127 for one that is not there. */
  exitCode: number
  reason: 'exited' | 'timed-out' | 'stopped' | 'not-started'
  /** Why it could not start; empty otherwise. */
  detail: string
  durationMs: number
}

export type OnOutput = (stream: 'stdout' | 'stderr', text: string) => Promise<void> | void

export const shell = (line: string): [string, ...string[]] => ['sh', '-c', line]

/** Short enough that a stopped session can still write its result within its 5 s. */
const KILL_GRACE_MS = 2000
/** The longest wait for a background child that keeps our pipe open after its parent is gone. */
const LEAK_GRACE_MS = 1000

/**
 * Runs one command in a process group of its own, and leaves nothing of the group behind: when the command ends, times
 * out or is stopped, the whole group gets SIGTERM and then SIGKILL. Output is decoded as UTF-8 (bad bytes become
 * U+FFFD) and delivered in order; while `onOutput` is pending the command's pipe fills and the command waits.
 * Never rejects because of what the command does; rejects when `onOutput` does.
 */
export async function runCommand(spec: CommandSpec, onOutput: OnOutput, clock: Clock): Promise<CommandEnd> {
  const startedAt = clock.monotonic()
  const lasted = () => Math.round(clock.monotonic() - startedAt)
  if (spec.signal?.aborted) return { exitCode: 143, reason: 'stopped', detail: '', durationMs: 0 }
  const streams = await openStreams(spec.stdin, spec.pipes ?? true)
  const child = start(spec, streams)
  streams.release()
  if (child instanceof Error) {
    streams.discard()
    return { exitCode: 126, reason: 'not-started', detail: child.message, durationMs: lasted() }
  }
  const output = streams.outputOf(child)
  const exited = exitOf(child)
  const pumps = [
    new Pump(output.stdout, (text) => onOutput('stdout', text), clock),
    new Pump(output.stderr, (text) => onOutput('stderr', text), clock),
  ]
  const failed = Promise.all(pumps.map((pump) => pump.done))
  failed.catch(() => killGroup(child, 'SIGKILL')) // nobody takes the output now

  const finished = new AbortController()
  const cause = await firstOf(spec, exited, finished.signal, clock)
  finished.abort()
  if (cause !== 'exited') killGroup(child, 'SIGTERM')
  const grace = new AbortController()
  const killed = clock.sleep(spec.killGraceMs ?? KILL_GRACE_MS, grace.signal).then(() => {
    if (!grace.signal.aborted) killGroup(child, 'SIGKILL')
  })
  const { exitCode, detail } = await exited
  killGroup(child, 'SIGTERM') // programs that the command left in the background
  await Promise.all(pumps.map((pump) => pump.endAfterExit(LEAK_GRACE_MS)))
  grace.abort()
  await killed
  killGroup(child, 'SIGKILL')
  await failed
  return { exitCode, reason: detail ? 'not-started' : cause, detail, durationMs: lasted() }
}

/**
 * Starts the command. Some failures (a line that is too long for the kernel, or has a zero byte) are thrown; others are
 * events.
 */
function start({ argv: [program, ...args], cwd, env }: CommandSpec, { stdio }: StandardStreams): ChildProcess | Error {
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function firstOf(
  spec: CommandSpec,
  exited: Promise<unknown>,
  finished: AbortSignal,
  clock: Clock,
): Promise<'exited' | 'timed-out' | 'stopped'> {
  const ends = spec.signal ? AbortSignal.any([finished, spec.signal]) : finished
  const timer = clock
    .sleep(spec.timeoutMs, ends)
    .then((): 'stopped' | 'timed-out' => (spec.signal?.aborted ? 'stopped' : 'timed-out'))
  return Promise.race([exited.then(() => 'exited' as const), timer])
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number; detail: string }> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      // Only a failed start: a failed kill has a pid and an exit of its own.
      if (child.pid === undefined) resolve({ exitCode: error.code === 'ENOENT' ? 127 : 126, detail: error.message })
    })
    child.once('exit', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0), detail: '' })
    })
  })
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // ESRCH: the group is gone already. EPERM: it is no longer ours, and nothing can be done.
  }
}

/** Reads one stream of a command to its end, or until nothing more comes after the command's exit. */
class Pump {
  readonly done: Promise<void>
  #stream: Readable
  #clock: Clock
  #pending = false
  #lastAt: number
  #bytesAfterExit: number | null = null

  constructor(stream: Readable, deliver: (text: string) => Promise<void> | void, clock: Clock) {
    this.#stream = stream
    this.#clock = clock
    this.#lastAt = clock.monotonic()
    this.done = this.#read(deliver)
  }

  /** Cuts off a leaked child that keeps printing after a little more than a full pipe and our own buffer hold. */
  static readonly #MAX_AFTER_EXIT = 1024 * 1024

  async endAfterExit(graceMs: number): Promise<void> {
    this.#bytesAfterExit = 0
    this.#lastAt = this.#clock.monotonic()
    const over = new AbortController()
    const ended = this.done.catch(() => {}).then(() => over.abort())
    while (!over.signal.aborted) {
      await this.#clock.sleep(50, over.signal)
      const silent = !this.#pending && this.#clock.monotonic() - this.#lastAt >= graceMs
      if (silent || this.#bytesAfterExit > Pump.#MAX_AFTER_EXIT) break
    }
    this.#stream.destroy()
    await ended
  }

  async #read(deliver: (text: string) => Promise<void> | void): Promise<void> {
    const decoder = new StringDecoder('utf8')
    const pass = async (text: string) => {
      if (!text) return
      this.#pending = true
      await deliver(text)
      this.#pending = false
      this.#lastAt = this.#clock.monotonic()
    }
    for await (const chunk of readUntilClosed(this.#stream)) {
      if (this.#bytesAfterExit !== null) this.#bytesAfterExit += chunk.length
      await pass(decoder.write(chunk))
    }
    await pass(decoder.end())
  }
}

/** Our own `destroy` ends the reading as the stream's end would. */
async function* readUntilClosed(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
