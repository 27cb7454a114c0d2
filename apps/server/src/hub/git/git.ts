import type { ChildProcess } from 'node:child_process'
import { saysOwnDiskFull } from '@beadloom/core/text/full-disk.ts'
import { cutMiddle } from '@beadloom/core/text/cut-middle.ts'
import { HubError } from '../../ports/hub.ts'
import { CannotStart, outOf, startProcess } from '../../process/start-process.ts'
import { type Collected, collectOutput, Hangs, NotStarted } from './collect-output.ts'
import { commandOf, type GitCall, type GitSettings } from './git-call.ts'
import { type Bounds, ProcessGroup } from './process-group.ts'
import { keepEnds } from './stderr-ends.ts'
import type { CollectedCall, GitEnd, GitProcess, GitResult, StartsGit } from './git-process.ts'
import { OpenClones } from './open-clone.ts'
import type { Signer } from './signer.ts'
import { LONGEST_LOCK_MS, StaleLocks } from './stale-locks.ts'

const DEFAULT_LIMIT_BYTES = 32 * 1024 ** 2
const DEFAULT_TIMEOUT_MS = 120_000

/**
 * The only place that starts git: argv arrays, a clean environment, every hardening flag, a time limit, capped output.
 * Output that is collected goes through simple-git, output that is streamed through `spawn`.
 */
export class Git implements StartsGit {
  readonly binary: string
  readonly clones: OpenClones
  readonly locks: StaleLocks
  /** Signs the commits that may be published; null: they are not signed. */
  readonly signer: Signer | null
  #settings: GitSettings

  constructor(settings: GitSettings, signer: Signer | null = null) {
    this.binary = settings.binary
    this.signer = signer
    this.clones = new OpenClones(this, settings.clock)
    this.locks = new StaleLocks(settings.clock)
    this.#settings = settings
  }

  /**
   * Streams both ways; the caller reads `stdout` (or calls `resume` on it) and ends `stdin`. Throws `HubError` if the
   * system cannot start it.
   */
  start(call: GitCall): GitProcess {
    call.signal?.throwIfAborted()
    const { binary, argv, env, cwd } = commandOf(this.#settings, call)
    // A process group of its own: no terminal that ssh could ask on, and one signal reaches every helper of git.
    const child = this.#spawn(binary, argv, { cwd, env, detached: true })
    const group = new ProcessGroup(child, this.#boundsOf(call))
    this.locks.follow(call, child)
    const stderr = keepEnds(child.stderr)
    const ended = new Promise<GitEnd>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(binary, error.code ?? error.message)))
      child.once('close', (code) => resolve({ code: code ?? 128, stderr: stderr(), why: group.ending }))
      group.stuck.addEventListener('abort', () => reject(hanging(call, child.pid)))
    })
    ended.catch(() => {})
    const kill = () => group.end('aborted')
    const hangUp = () => {
      child.stdin.end()
      child.stdout.resume()
    }
    return { stdin: child.stdin, stdout: child.stdout, ended, kill, hangUp }
  }

  /**
   * Runs to the end and returns the output. An exit code that is no answer is thrown as a HubError, an aborted signal
   * as its reason. A lock in the way is waited for until it is gone or known to be stale.
   */
  async run(call: CollectedCall): Promise<GitResult> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = call
    return this.#run(call, this.#settings.clock.monotonic() + Math.min(timeoutMs, LONGEST_LOCK_MS))
  }

  /** @param until a lock is waited for no longer, by the monotonic clock */
  async #run(call: CollectedCall, until: number): Promise<GitResult> {
    call.signal?.throwIfAborted()
    const limitBytes = call.limitBytes ?? DEFAULT_LIMIT_BYTES
    const bounds = this.#boundsOf(call)
    const { code, stdout, stderr, over, ending } = await this.#collect(call, { ...bounds, limitBytes })
    call.signal?.throwIfAborted()
    if (code !== 0 && (await this.locks.gone(call, stderr, until))) return this.#run(call, until)
    call.signal?.throwIfAborted()
    if (over && call.cut) return { code: 0, stdout: stdout.subarray(0, limitBytes), stderr, cut: true }
    if (over) throw new HubError('refused', `git ${call.args[0]} printed more than ${limitBytes} bytes`)
    if (ending === 'timed-out') {
      throw new HubError('timed-out', `git ${call.args[0]} did not end within ${bounds.timeoutMs} ms`)
    }
    if (code !== 0 && !call.answers?.includes(code)) throw new GitFailure(call.args[0] ?? '', { code, stderr })
    return { code, stdout, stderr, cut: false }
  }

  /** Standard output as text without its last newline. */
  async text(call: CollectedCall): Promise<string> {
    return (await this.run(call)).stdout.toString('utf8').replace(/\n$/, '')
  }

  #spawn(...[binary, argv, options]: Parameters<typeof startProcess>): ReturnType<typeof startProcess> {
    try {
      return startProcess(binary, argv, options)
    } catch (error) {
      throw error instanceof CannotStart ? cannotStart(binary, error.code, error) : error
    }
  }

  async #collect(call: CollectedCall, bounds: Bounds & { limitBytes: number }): Promise<Collected> {
    const { input = '', onStderr } = call
    const bytes = typeof input === 'string' ? Buffer.from(input) : input
    const onStart = (child: ChildProcess) => this.locks.follow(call, child)
    try {
      return await collectOutput(commandOf(this.#settings, call), { ...bounds, input: bytes, onStart, onStderr })
    } catch (error) {
      if (error instanceof Hangs) throw hanging(call, error.pid)
      throw error instanceof NotStarted ? cannotStart(this.binary, error.message, error) : error
    }
  }

  #boundsOf({ timeoutMs = DEFAULT_TIMEOUT_MS, signal }: GitCall): Bounds {
    return { clock: this.#settings.clock, timeoutMs, signal }
  }
}

/** Git names every file in its way, and a message goes into answers, events and logs. */
const LONGEST_SAID = 4_000

/** Git ended with an error. Callers that know the question turn it into a better sentence; this one is readable too. */
export class GitFailure extends HubError {
  override name = 'GitFailure'
  readonly code: number
  readonly stderr: string

  constructor(command: string, end: Pick<GitEnd, 'code' | 'stderr'>) {
    const said = cutMiddle(end.stderr.trim(), LONGEST_SAID) || 'it said nothing'
    const isFull = saysOwnDiskFull(end.stderr)
    const why = isFull ? `, because the disk of the server is full` : ''
    super(isFull ? 'no-space' : 'git-failed', `git ${command} failed (exit ${end.code})${why}: ${said}`)
    this.code = end.code
    this.stderr = end.stderr
  }
}

/** We wait for it no more, and a person has to look at the disk. */
const hanging = ({ args, gitDir }: GitCall, pid: number | undefined): HubError =>
  new HubError(
    'hangs',
    `git ${args[0]} (process ${pid ?? 'unknown'}) cannot be ended, not even by SIGKILL: the disk${gitDir === undefined ? '' : ` that holds ${gitDir}`} does not answer. Look at it (dmesg), and at what has frozen or unmounted it`,
  )

/** `why`: the system's name for the reason, or the thrown error. */
function cannotStart(binary: string, why: string, cause?: Error): HubError {
  const text = outOf(why)
  const short = cause instanceof CannotStart ? cause : new CannotStart(binary, why)
  if (text !== null) return new HubError('git-failed', `${binary} could not be started: ${text}`, { cause: short })
  const what = why === 'ENOENT' ? 'was not found' : `could not be started (${why})`
  return new HubError('git-failed', `${binary} ${what}: install git 2.38 or later`, { cause })
}
