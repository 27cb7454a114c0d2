import type { Readable, Writable } from 'node:stream'
import type { GitCall } from './git-call.ts'
import type { Ending } from './process-group.ts'

export type CollectedCall = GitCall & {
  input?: string | Buffer
  /** The limit of standard output. Longer output is an error, or is cut when `cut` is true. */
  limitBytes?: number
  cut?: boolean
  /** Exit codes besides 0 that are answers, not errors. */
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
  /** Closes its input. Git finishes if it has read all of it, else it fails and cleans up. The time limit stays. */
  hangUp: () => void
}

/** The part of `Git` for modules that `Git` owns: they cannot import it. */
export interface StartsGit {
  start(call: GitCall): GitProcess
  run(call: CollectedCall): Promise<GitResult>
  text(call: CollectedCall): Promise<string>
}
