import type { SessionDeps } from '../commands/session-deps.ts'
import { runCommand } from '../commands/run-command.ts'

/** The folders where a container's user can leave files that stay: the rest belongs to root, and `/tmp` is memory. */
const PLACES = ['/home/agent', '/var/tmp']
const LIMIT_MS = 300_000
const MOST_NAMED = 3
const MOST_OUTPUT = 10_000

/**
 * Finds files that contain secrets: they would be in the image, which every agent of the project gets. Null if there
 * are none.
 *
 * @param secrets by their names
 */
export async function filesWithSecrets(
  { order, env, clock, stop }: Pick<SessionDeps, 'order' | 'env' | 'clock' | 'stop'>,
  secrets: Readonly<Record<string, string>>,
): Promise<string | null> {
  const names = Object.keys(secrets)
  if (names.length === 0) return null
  // Through standard input: every process can read arguments.
  const stdin = `${Object.values(secrets).join('\n')}\n`
  const argv: [string, ...string[]] = ['grep', '-rlaFs', '-f', '-', order.workspace, ...PLACES]
  let found = ''
  const end = await runCommand(
    { argv, cwd: order.workspace, env: { ...env, LC_ALL: 'C' }, timeoutMs: LIMIT_MS, signal: stop, stdin },
    (stream, text) => void (stream === 'stdout' && found.length < MOST_OUTPUT && (found += text)),
    clock,
  )
  const files = found.split('\n').filter(Boolean)
  if (files.length > 0)
    return `setup has written ${names.join(' or ')} into ${listed(files)}, where every agent of the project could read it: read it from the environment, as \${NAME} in an .npmrc, or remove the file at the end of setup`
  // 1: nothing was found; 2: nothing was found in the readable files.
  if (end.reason === 'exited' && (end.exitCode === 1 || end.exitCode === 2)) return null
  return `Beadloom could not find out whether setup has written ${names.join(' or ')} into a file: grep ${end.reason === 'exited' ? `ended with exit code ${end.exitCode}` : end.reason}`
}

const listed = (files: readonly string[]): string =>
  files.length > MOST_NAMED
    ? `${files.slice(0, MOST_NAMED).join(', ')} and ${files.length - MOST_NAMED} more files`
    : files.join(', ')
