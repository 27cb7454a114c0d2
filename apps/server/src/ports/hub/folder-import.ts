import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { Readable } from 'node:stream'
import type { Signature } from '@beadloom/core/records/identity.ts'

/**
 * `onto`: the parent commit; null: none. `tar` is called twice; the paths of the stream begin with the folder's own
 * name.
 */
export type FolderImport = {
  ref: string
  onto: string | null
  message: string
  tar: () => Promise<Readable>
  by?: Signature
  /** A commit of an earlier import: if the files are the same, no new one is made. */
  before?: string | null
  /** The limit of its size; default 2 GiB. The smallest files go first. */
  mostBytes?: number
  /** The limit of its files without ignored ones; default 200,000. Committed and then shallow ones go first. */
  mostFiles?: number
}

/** `why`: the reason; without it, the size. */
export type LeftFile = { path: string; size: number; why?: string }

/**
 * `commit` null: the folder equals `onto`. `left`: files that could not be saved; those that are too large come with
 * the largest first.
 */
export type FolderImported = { commit: string | null; left: LeftFile[] }

const LEFT_NAMED = 5

/** "model.bin (3.2 GiB), .Git/a (git takes no such name) and 2 more". */
export const namedLeft = (left: FolderImported['left']): string => {
  const named = left.slice(0, LEFT_NAMED).map(({ path, size, why }) => `${oneLine(path)} (${why ?? bytesText(size)})`)
  const more = left.length > LEFT_NAMED ? ` and ${left.length - LEFT_NAMED} more` : ''
  return `${named.join(', ')}${more}`
}
