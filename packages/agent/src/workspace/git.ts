import { join } from 'node:path'
import { saysFullDisk, saysOwnDiskFull } from '@beadloom/core/text/full-disk.ts'
import type { Clock } from '../process/clock.ts'
import { BoundedText } from '../output/split-text.ts'
import { runCommand, type Env, type OnOutput } from '../commands/run-command.ts'
import { DISK_FULL, SERVER_DISK_FULL, SessionFailure } from '../ends/session-failure.ts'

export type GitResult = { code: number; stdout: string; stderr: string }

export type GitOptions = {
  env?: Env
  stdin?: string | Uint8Array
  /** Also show git's output in the session's log. */
  show?: boolean
}

/** Enough to fetch a very large repository, and less than the deadline if git hangs. */
const GIT_TIMEOUT_MS = 30 * 60_000
/** Lists of file names. Longer output is cut; nothing here depends on a complete list. */
const MAX_OUTPUT = 16 * 1024 ** 2
/** A server that restarts is back within this. */
const LINK_RETRY_MS = 60_000

/** Switches off what our own git must not do, whatever the repository's configuration says. */
const QUIET = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'advice.detachedHead=false',
  'rebase.autoStash=false',
  'status.showUntrackedFiles=normal',
  'diff.ignoreSubmodules=none',
  // Every file is compared as it is; other values would make git overlook a change.
  'core.checkStat=default',
  'core.fileMode=true',
  'core.ignoreCase=false',
  'core.ignoreStat=false',
  'core.symlinks=true',
  'core.trustctime=true',
  'core.untrackedCache=false',
  'sparse.expectFilesOutsideOfPatterns=false',
].flatMap((setting) => ['-c', setting])

/** Git in the session's workspace. The repository is named explicitly, so that no parent folder's is ever used. */
export class Git {
  readonly folder: string
  readonly directory: string
  #env: Env
  #clock: Clock
  #onOutput: OnOutput
  #stop: AbortSignal | undefined

  constructor(
    folder: string,
    {
      env,
      clock,
      onOutput,
      stop,
      directory,
    }: { env: Env; clock: Clock; onOutput: OnOutput; stop?: AbortSignal; directory?: string },
  ) {
    this.folder = folder
    this.directory = directory ?? `${folder}/.git`
    this.#env = env
    this.#clock = clock
    this.#onOutput = onOutput
    this.#stop = stop
  }

  /** Git in the same workspace with another repository directory. */
  at(directory: string): Git {
    return this.#with(this.folder, directory)
  }

  /** Git in a repository in a folder of the workspace. */
  in(folder: string): Git {
    return this.#with(folder, join(folder, '.git'))
  }

  /** Git in a folder of the workspace, as if it were the whole. */
  onlyOf(folder: string): Git {
    return this.#with(folder, this.directory)
  }

  #with(folder: string, directory: string): Git {
    const [env, clock, onOutput, stop] = [this.#env, this.#clock, this.#onOutput, this.#stop]
    return new Git(folder, { env, clock, onOutput, directory, ...(stop ? { stop } : {}) })
  }

  /** Runs git. Never rejects because of an exit code. */
  async run(args: string[], { env, stdin, show }: GitOptions = {}): Promise<GitResult> {
    const collected = { stdout: new BoundedText(MAX_OUTPUT), stderr: new BoundedText(64 * 1024) }
    const end = await runCommand(
      {
        argv: ['git', `--git-dir=${this.directory}`, `--work-tree=${this.folder}`, ...QUIET, ...args],
        cwd: this.folder,
        env: { ...this.#env, LC_ALL: 'C', ...env },
        timeoutMs: GIT_TIMEOUT_MS,
        pipes: false,
        ...(this.#stop ? { signal: this.#stop } : {}),
        ...(stdin === undefined ? {} : { stdin }),
      },
      (stream, text) => {
        collected[stream].add(text)
        return show ? this.#onOutput(stream, text) : undefined
      },
      this.#clock,
    )
    const stderr =
      collected.stderr.toString() + (end.reason === 'exited' ? '' : `git ${args[0]} ${end.reason} ${end.detail}`)
    return { code: end.exitCode, stdout: collected.stdout.toString(), stderr }
  }

  /** Returns standard output. If git fails, throws a `SessionFailure` that begins with `what`. */
  async must(what: string, args: string[], options: GitOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options)
    if (code !== 0) throw gitFailure(what, stderr || stdout || `git ended with exit code ${code}`)
    return stdout
  }

  /**
   * Like `run`, for commands that talk to the hub: retries for 60 s while the link or the server is away, or another
   * git writes the same ref there.
   */
  async talk(args: string[], options: GitOptions = {}): Promise<GitResult> {
    const startedAt = this.#clock.monotonic()
    for (;;) {
      const result = await this.run(args, options)
      const over = this.#clock.monotonic() - startedAt >= LINK_RETRY_MS || this.#stop?.aborted
      if (result.code === 0 || over || !(isConnectionTrouble(result.stderr) || isRace(result.stderr))) return result
      await this.#clock.sleep(1000, this.#stop)
    }
  }

  /** The commit behind a name, or null. */
  async commitOf(name: string): Promise<string | null> {
    const { code, stdout } = await this.run([
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${name}^{commit}`,
    ])
    return code === 0 ? stdout.trim() : null
  }

  async isAncestor(ancestor: string, of: string): Promise<boolean> {
    return (await this.run(['merge-base', '--is-ancestor', ancestor, of])).code === 0
  }
}

/**
 * Whether git failed because of the connection. Git has no exit codes for that, only curl's sentences. A refusal by the
 * hub does not count; an error of the hub does: its disk may be full, or it can open no more files.
 */
export const isConnectionTrouble = (stderr: string): boolean =>
  !/returned error: 4\d\d/.test(stderr) &&
  /failed to connect|could(?:n't| not) connect|empty reply|recv failure|send failure|connection (?:reset|refused)|hung up unexpectedly|unexpected disconnect|early eof|transfer closed|returned error: 50[0234]/i.test(
    stderr,
  )

/**
 * Whether another git has locked the ref, or wrote it at the same moment: usually that of the same push, left behind by
 * a killed server.
 */
const isRace = (stderr: string): boolean =>
  /cannot lock ref '[^']*': (?:reference already exists|is at [0-9a-f]+ but expected|unable to create '[^']*\.lock': file exists)/i.test(
    stderr,
  )

/** Says what failed, and then git's own words. A full disk comes first: it is not a mistake of the agent. */
export function gitFailure(what: string, stderr: string): SessionFailure {
  const text = `${what}: ${lastLines(stderr)}`
  if (!saysFullDisk(stderr)) return new SessionFailure(text)
  return new SessionFailure(`${saysOwnDiskFull(stderr) ? DISK_FULL : SERVER_DISK_FULL}; ${text}`, 'disk_full')
}

/** The end of git's output, without its hints for people at a terminal. */
export const lastLines = (text: string, lines = 6): string =>
  text
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('hint:'))
    .slice(-lines)
    .join('\n')
    .slice(-2000)
