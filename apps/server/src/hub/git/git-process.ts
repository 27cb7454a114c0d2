import type { Readable, Writable } from 'node:stream'
import type { GitCall } from './git-call.ts'
import type { Ending } from './process-group.ts'

export type CollectedCall = GitCall & {
  input?: string | Buffer
  /** The limit of standard output. Longer output is an error, or is cut when `cut` is true. */
  limitBytes?: number
  cut?: boolean
  /** Exit codes that are answers, besides 0. */
  answers?: number[]
}

export type GitResult = { code: number; stdout: Buffer; stderr: string; cut: boolean }

export type GitEnd = { code: number; stderr: string; why: Ending }

export type GitProcess = {
  stdin: Writable
  stdout: Readable
  /** Resolves when the process is gone and its output was read or dropped. Rejects only when git could not start. */
  ended: Promise<GitEnd>
  kill: () => void
  /** Closes its input. A git that has all of it finishes, any other fails and cleans up. The time limit stays. */
  hangUp: () => void
}

/** The part of `Git` for modules that `Git` itself owns and that so cannot import it. */
export interface StartsGit {
  start(call: GitCall): GitProcess
  run(call: CollectedCall): Promise<GitResult>
  text(call: CollectedCall): Promise<string>
}
