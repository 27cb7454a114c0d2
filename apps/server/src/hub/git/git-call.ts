import { dirname } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import { closedEnvironment, hardening, UNSET } from './git-flags.ts'

export type GitCall = {
  args: string[]
  /** The bare repository; absent if the call needs none. */
  gitDir?: string
  /** The repository in which a command without `gitDir` works. */
  worksIn?: string
  /** More `key=value` configuration, after ours. */
  config?: string[]
  env?: Record<string, string>
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** For a call whose output is collected: hears its standard error piece by piece. */
  onStderr?: (piece: string) => void
}

export type GitSettings = { binary: string; home: string; searchPath: string; cwd: string; clock: Clock }

/** A complete command: its command line, and every variable that git sees. */
export type GitCommand = { binary: string; argv: string[]; env: Record<string, string>; cwd: string }

/** Makes every command line for git: all hardening flags, and an environment built from nothing. */
export function commandOf({ binary, home, searchPath, cwd }: GitSettings, call: GitCall): GitCommand {
  const config = [...hardening, ...(call.config ?? [])].flatMap((setting) => ['-c', setting])
  const where = call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]
  // The data folder may be inside a person's checkout; without a ceiling git would find that and read its
  // configuration.
  const ceiling = { GIT_CEILING_DIRECTORIES: dirname(cwd) }
  const all = { ...closedEnvironment(home, searchPath), ...ceiling, ...call.env }
  const env = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== UNSET))
  return { binary, argv: ['--literal-pathspecs', ...config, ...where, ...call.args], env, cwd }
}
