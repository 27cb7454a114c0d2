import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../process/clock.ts'
import { HubError } from '../../ports/hub.ts'
import { closedEnvironment, hardening, UNSET } from './git-flags.ts'

/** How much of stderr is kept; git says what matters first and last. */
const STDERR_LIMIT = 64 * 1024
/** Between SIGTERM, on which git removes its temporary files and locks, and SIGKILL. */
const KILL_GRACE_MS = 5_000
const DEFAULT_LIMIT_BYTES = 32 * 1024 ** 2
const DEFAULT_TIMEOUT_MS = 120_000

export type GitCall = {
  args: string[]
  /** The bare repository; none for what needs no repository. */
  gitDir?: string
  /** More `key=value` configuration, after ours. */
  config?: string[]
  env?: Record<string, string>
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

export type GitRun = GitCall & {
  input?: string | Buffer
  /** Of stdout. What is longer is an error, or cut when `cut` is true. */
  limitBytes?: number
  cut?: boolean
  /** Exit codes that are answers, besides 0. */
  answers?: number[]
}

export type GitResult = { code: number; stdout: Buffer; stderr: string; cut: boolean }

export type GitEnd = { code: number; stderr: string; why: 'exited' | 'timed-out' | 'aborted' }

export type GitProcess = {
  stdin: Writable
  stdout: Readable
  /** Resolves when the process is gone and its output was read or dropped. Rejects only when git could not start. */
  ended: Promise<GitEnd>
  kill: () => void
  /** Ends its input: what has everything finishes, what has not fails and cleans up by itself. The time limit stays. */
  hangUp: () => void
}

export type GitSettings = { binary: string; home: string; searchPath: string; cwd: string; clock: Clock }

/** The only place that starts git: argv arrays, a clean environment, every hardening flag, a time limit, capped output. */
export class Git {
  readonly binary: string
  #settings: GitSettings

  constructor(settings: GitSettings) {
    this.binary = settings.binary
    this.#settings = settings
  }

  /** Streams both ways; the caller reads `stdout` (or calls `resume` on it) and ends `stdin`. */
  start(call: GitCall): GitProcess {
    call.signal?.throwIfAborted()
    const { binary, cwd } = this.#settings
    // A process group of its own: no terminal that ssh could ask on, and one signal reaches every helper of git.
    const child = spawn(binary, this.#argv(call), {
      cwd,
      env: this.#environment(call.env),
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => {}) // EPIPE: git ended before it read everything, which its exit code explains
    const stop = new AbortController()
    let why: GitEnd['why'] = 'exited'
    const end = (reason: GitEnd['why']) => {
      if (stop.signal.aborted) return // it is gone, and its number may belong to another process by now
      if (why === 'exited') why = reason
      this.#kill(child, stop.signal)
    }
    const onAbort = () => end('aborted')
    call.signal?.addEventListener('abort', onAbort, { once: true })
    void this.#settings.clock.sleep(call.timeoutMs ?? DEFAULT_TIMEOUT_MS, stop.signal).then(() => {
      if (!stop.signal.aborted) end('timed-out')
    })
    const stderr = keepEnds(child.stderr)
    const ended = new Promise<GitEnd>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(binary, error)))
      child.once('close', (code) => resolve({ code: code ?? 128, stderr: stderr(), why }))
    }).finally(() => {
      stop.abort()
      call.signal?.removeEventListener('abort', onAbort)
    })
    ended.catch(() => {})
    const kill = () => end('aborted')
    const hangUp = () => {
      child.stdin.end()
      child.stdout.resume()
    }
    return { stdin: child.stdin, stdout: child.stdout, ended, kill, hangUp }
  }

  /**
   * Runs to the end and returns what was printed. Every end that is no answer is a HubError, an aborted signal is
   * thrown as its own reason.
   */
  async run(call: GitRun): Promise<GitResult> {
    const git = this.start(call)
    git.stdin.end(call.input ?? '')
    const limit = call.limitBytes ?? DEFAULT_LIMIT_BYTES
    const chunks: Buffer[] = []
    let size = 0
    let over = false
    git.stdout.on('data', (chunk: Buffer) => {
      if (over) return
      chunks.push(chunk)
      size += chunk.length
      if (size <= limit) return
      over = true
      git.kill()
    })
    const end = await git.ended
    call.signal?.throwIfAborted()
    const stdout = Buffer.concat(chunks)
    if (over && call.cut) return { code: 0, stdout: stdout.subarray(0, limit), stderr: end.stderr, cut: true }
    if (over) throw new HubError('refused', `git ${call.args[0]} printed more than ${limit} bytes`)
    if (end.why === 'timed-out') {
      throw new HubError(
        'timed-out',
        `git ${call.args[0]} did not end within ${call.timeoutMs ?? DEFAULT_TIMEOUT_MS} ms`,
      )
    }
    if (end.code !== 0 && !call.answers?.includes(end.code)) throw new GitFailure(call.args[0] ?? '', end)
    return { code: end.code, stdout, stderr: end.stderr, cut: false }
  }

  /** Standard output as text without its last newline. */
  async text(call: GitRun): Promise<string> {
    return (await this.run(call)).stdout.toString('utf8').replace(/\n$/, '')
  }

  #argv(call: GitCall): string[] {
    const config = [...hardening, ...(call.config ?? [])].flatMap((setting) => ['-c', setting])
    const where = call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]
    return ['--literal-pathspecs', ...config, ...where, ...call.args]
  }

  #environment(more: Record<string, string> = {}): Record<string, string> {
    const { home, searchPath, cwd } = this.#settings
    // The data folder may lie inside somebody's checkout; without a ceiling git would find that and read its configuration.
    const ceiling = { GIT_CEILING_DIRECTORIES: dirname(cwd) }
    const all = { ...closedEnvironment(home, searchPath), ...ceiling, ...more }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== UNSET))
  }

  #kill(child: ChildProcessByStdio<Writable, Readable, Readable>, gone: AbortSignal): void {
    signalGroup(child.pid, 'SIGTERM')
    void this.#settings.clock.sleep(KILL_GRACE_MS, gone).then(() => {
      if (!gone.aborted) signalGroup(child.pid, 'SIGKILL')
    })
    child.stdin.destroy()
    child.stdout.resume() // what nobody reads any more must not keep the process from ending
  }
}

/** Git ended with an error. Those who know what was asked translate it to a better sentence; unread, it is still one. */
export class GitFailure extends HubError {
  override name = 'GitFailure'
  readonly code: number
  readonly stderr: string

  constructor(command: string, end: Pick<GitEnd, 'code' | 'stderr'>) {
    super('git-failed', `git ${command} failed (exit ${end.code}): ${end.stderr.trim() || 'it said nothing'}`)
    this.code = end.code
    this.stderr = end.stderr
  }
}

function cannotStart(binary: string, error: NodeJS.ErrnoException): HubError {
  const what = error.code === 'ENOENT' ? 'was not found' : `could not be started (${error.code ?? error.message})`
  return new HubError('git-failed', `${binary} ${what}: install git 2.38 or later`, { cause: error })
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // ESRCH: it ended by itself just now
  }
}

/** The first and the last part of a stream as text; the middle of a flood is dropped. */
function keepEnds(stream: Readable): () => string {
  let head = ''
  let tail = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    if (head.length < STDERR_LIMIT / 2) head += text
    else tail = (tail + text).slice(-STDERR_LIMIT / 2)
  })
  return () => head.slice(0, STDERR_LIMIT) + tail
}
