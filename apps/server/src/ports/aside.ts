import type { Digest, DigestOptions } from '@beadloom/core/digest/digest-reader.ts'
import type { Found } from '@beadloom/core/environment/found.ts'
import type { SecretsOfChange } from '@beadloom/core/secrets/found-secret.ts'
import type { TestsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import type { WorkChange } from '@beadloom/core/tamper/tamper.ts'
import type { RepositoryFiles } from '@beadloom/core/environment/files/repository-files.ts'
import type { VerdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import type { Issues } from './tracker.ts'
import type { WholeBytes } from './whole-bytes.ts'

/**
 * Reads strangers' text on threads aside, so that no text can stop the server. Each reading may take a certain
 * processor time for each MiB; past that its thread is ended, and the caller gets an answer that says so.
 */
export interface Aside {
  /** The digest of an output that is still printed. */
  digest(options: DigestOptions): OutputDigest
  /** The findings in a repository's files. A file that takes too much work is left out, and a note names it. */
  environment(files: RepositoryFiles): Promise<Found>
  /** The effect of a change on tests. A change that takes too much work counts as one that could not be checked. */
  tests(change: WorkChange): Promise<TestsOfChange>
  /** A reading that a verdict depends on; null: it takes too much work. */
  verdict<K extends keyof VerdictReadings>(
    reading: K,
    ...given: Parameters<VerdictReadings[K]>
  ): Promise<ReturnType<VerdictReadings[K]> | null>
  /** A tracker's file that takes too much work has no bead and a warning, is not written, and is merged by a person. */
  issues: Issues
  /** Finds texts that look like secrets in lines that patches add, and in whole texts; null: it takes too much work. */
  secrets(patches: readonly Uint8Array[], texts?: readonly WholeBytes[]): Promise<SecretsOfChange | null>
  /** A plain value that leaves this server, with `***` for each secret in its texts; for texts that take too much work, a sentence. */
  masked<T>(value: T): Promise<T>
}

/** The server is stopping and nobody waits for the answer: no fault. */
export class ReadingStopped extends Error {
  override name = 'ReadingStopped'
}

export interface OutputDigest {
  /** The bytes are copied: they may be used again. */
  push(stream: 'stdout' | 'stderr', bytes: Uint8Array): void
  /** Resolves when more may come; null: it may come now. A reader slower than the output must not keep it. */
  room(): Promise<void> | null
  /** `unread` in the digest: it took too much work. Called once, and nothing is pushed after it. */
  end(exitCode: number | null): Promise<Digest>
  /** The digest is no longer wanted. */
  drop(): void
}
