import type { CommitView, DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import type { WholeBytes } from '../whole-bytes.ts'

/** The API's form of it. */
export type CommitInfo = CommitView

/** `ignoreSpace`: lines that differ only in white space count as equal. */
export type DiffHow = { ignoreSpace?: boolean }
/** `lines`: only files with an added or removed line that matches this POSIX extended regular expression. */
export type ListHow = DiffHow & { lines?: string }
/** `context`: unchanged lines around each change; default 3. `text`: also lines of files that git takes for binary. */
export type PatchHow = DiffHow & { context?: number; text?: boolean }

/** A unified diff of whole lines; empty if the file has not changed. `cut`: it was too long, and its end is missing. */
export type Patch = { text: string; cut: boolean }

/**
 * `each`: the patches of each commit that the remote does not have, as `git log` prints them. `messages`: their
 * messages, with the names of authors and committers. `cut`: at least one of these lacks its end.
 */
export type AddedText = { whole: Uint8Array; each: Uint8Array; messages: WholeBytes[]; cut: boolean }

/** The API's form of it. */
export type DiffFile = DiffFileView
