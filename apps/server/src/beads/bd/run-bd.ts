import type { Clock } from '../../process/clock.ts'
import { CannotStart, outOf, startProcess } from '../../process/start-process.ts'
import { TrackerError } from '../../ports/tracker.ts'

const STDERR_LIMIT = 64 * 1024
/** `bd` itself waits for a database that another process holds; after this time it is asked again later. */
const TIMEOUT_MS = 60_000
const KILL_GRACE_MS = 5_000

export type BdSettings = {
  /** `bd` or `br`, as a name on the person's PATH. */
  program: string
  folder: string
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Variables that have a secret, in addition to those whose names say so. */
  secrets?: () => Iterable<string>
  /** Whether it obeys the files in the folder's `.beads`, above all its hooks. */
  trusted: boolean
  /** Called before each run; throws `TrackerError` if the folder is no longer the one that was judged. */
  before?: () => Promise<void>
}

export type BdCall = { args: string[]; input?: string; limitBytes: number; timeoutMs?: number }
export type BdEnd = { code: number; stdout: string; stderr: string }
type RawEnd = Omit<BdEnd, 'stdout'> & { stdout: Buffer[] }

/** The folder alone determines the database, and these programs must not see any keys, of models, forges or others. */
const withheld =
  /^(?:BEADS_|BD_|OPENAI_|ANTHROPIC_|BEADLOOM_)|(?:^|_)(?:TOKEN|PAT|SECRET|PASSWORD|(?:API|ACCESS|PRIVATE)_?KEY|CREDENTIALS)(?:$|_)|(?:KEY|PASS|PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN)$/i
/**
 * Beads are read and written in the folder's own database, whichever tracker the files, the database or the person's
 * own settings name for new ones: Beadloom would not find a bead there again.
 */
const OWN_TRACKER = { BD_ROUTING_MODE: 'explicit', BD_ROUTING_DEFAULT: '.' }
/**
 * Switches of `bd` for all hooks, for its own pushes and backups, and for git, which would run programs that the working
 * tree names; since 1.0. Its own exports and imports get their usual names: a setting could lead them to any file of the
 * person, who may not want a line of JSON in it.
 */
const UNTRUSTED = {
  BD_NO_HOOKS: 'true',
  BD_NO_GIT_OPS: 'true',
  BD_DOLT_AUTO_PUSH: 'false',
  BD_BACKUP_ENABLED: 'false',
  BD_BACKUP_GIT_PUSH: 'false',
  BD_EXPORT_GIT_ADD: 'false',
  BD_EXPORT_PATH: 'issues.jsonl',
  BD_IMPORT_PATH: 'issues.jsonl',
}

/**
 * Runs the person's own program in the person's own folder: with an argument list and never a shell, bounded in time
 * and output, without a terminal. Any exit code is an answer; throws `TrackerError` if there is none.
 */
export async function runBd(settings: BdSettings, call: BdCall): Promise<BdEnd> {
  const { stdout, ...end } = await runBdRaw(settings, call)
  return { ...end, stdout: Buffer.concat(stdout).toString('utf8') }
}

/** The same, with its raw output. */
export async function runBdRaw(settings: BdSettings, call: BdCall): Promise<RawEnd> {
  await settings.before?.()
  return running(settings, call)
}

function running({ program, folder, clock, env, trusted, ...more }: BdSettings, call: BdCall): Promise<RawEnd> {
  const secrets = new Set(more.secrets?.())
  return new Promise((resolve, reject) => {
    const child = start(program, call.args, {
      cwd: folder,
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([key]) => !withheld.test(key) && !secrets.has(key))),
        ...OWN_TRACKER,
        BD_NON_INTERACTIVE: '1',
        BD_NO_PAGER: '1',
        BD_JSON_ENVELOPE: '1',
        BD_DISABLE_METRICS: '1', // our calls are not a person's use
        NO_COLOR: '1',
        ...(trusted ? {} : UNTRUSTED),
      },
      detached: true, // so that one signal also reaches its child processes
    })
    const gone = new AbortController()
    let problem: TrackerError | null = null
    const stop = (why: TrackerError) => {
      if (problem !== null || gone.signal.aborted) return
      problem = why
      signal(child.pid, 'SIGTERM')
      void clock.sleep(KILL_GRACE_MS, gone.signal).then(() => {
        if (!gone.signal.aborted) signal(child.pid, 'SIGKILL')
      })
    }
    const limit = call.timeoutMs ?? TIMEOUT_MS
    void clock.sleep(limit, gone.signal).then(() => {
      const name = `${program} ${call.args[0] ?? ''}`
      stop(
        new TrackerError(
          'busy',
          `${name} did not answer within ${limit / 1000} s: another program may hold its database`,
        ),
      )
    })
    const stdout: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= call.limitBytes) stdout.push(chunk)
      else
        stop(new TrackerError('broken', `${program} ${call.args[0] ?? ''} printed more than ${call.limitBytes} bytes`))
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < STDERR_LIMIT) stderr += text.slice(0, STDERR_LIMIT)
    })
    child.stdin.end(call.input ?? '')
    child.once('error', (error: NodeJS.ErrnoException) => {
      gone.abort()
      reject(notStarted(program, error.code ?? error.message, error))
    })
    child.once('close', (code) => {
      gone.abort()
      if (problem !== null) return reject(problem)
      resolve({ code: code ?? 128, stdout, stderr })
    })
  })
}

function start(...[program, args, options]: Parameters<typeof startProcess>): ReturnType<typeof startProcess> {
  try {
    return startProcess(program, args, options)
  } catch (error) {
    throw error instanceof CannotStart ? notStarted(program, error.code, error) : error
  }
}

function notStarted(program: string, code: string, cause: Error): TrackerError {
  const text = outOf(code)
  return text === null
    ? new TrackerError('missing', `${program} cannot be started (${code})`, { cause })
    : new TrackerError('busy', `${program} cannot be started: ${text}`, { cause })
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // It is gone already.
  }
}
