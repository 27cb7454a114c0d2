import { accessSync, constants, readFileSync, statSync, type Stats } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'

/**
 * Out of memory, the kernel kills the largest process, by memory and this score. In a session of many small compilers
 * none is as large as a waiting Node, so without this score the supervisor was killed first. 300 counts like 30 % of
 * the container's memory. Only a process itself can raise it reliably: if a process may not be read, its files belong
 * to root.
 */
const MORE_WILLING = 300
const MOST = 1000

/** Why nothing can be started, with a shell's exit code: 127 if it is not there, 126 if it cannot be run. */
export class NotStarted extends Error {
  readonly code: 126 | 127
  constructor(code: 126 | 127, message: string) {
    super(message)
    this.code = code
  }
}

/** Its environment is complete. */
export type Command = Omit<SessionStart, 'env'> & { env: NodeJS.ProcessEnv }

/** The command line of a session. Throws `NotStarted`, which a shell in between would hide. */
export function sessionCommand({ argv, env, cwd }: Command, score = ownScore()): [string, ...string[]] {
  const [program = '', ...args] = argv
  if (!statOf(cwd)?.isDirectory()) throw new NotStarted(127, `there is no folder ${cwd}`)
  check(program, env['PATH'] ?? '', cwd)
  if (score === null) return [program, ...args]
  const willing = Math.min(MOST, score + MORE_WILLING)
  return ['/bin/sh', '-c', `echo ${willing} > /proc/self/oom_score_adj; exec "$0" "$@"`, program, ...args]
}

function check(program: string, path: string, cwd: string): void {
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((one) => join(one, program))
  const found = places.filter((place) => statOf(place)?.isFile())
  if (found.length === 0) throw new NotStarted(127, `there is no program ${program}`)
  if (!found.some(mayRun)) throw new NotStarted(126, `${found[0]} may not be run`)
}

/** Null if nothing is there, or nothing that this user may see, as in another user's folder of the search path. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Null if this system has no such score. */
function ownScore(): number | null {
  try {
    return Number.parseInt(readFileSync('/proc/self/oom_score_adj', 'utf8'), 10)
  } catch {
    return null
  }
}
