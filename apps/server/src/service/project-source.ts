import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'

/** The file that `bd` and Beadloom share, within a repository. */
export const ISSUES_FILE = '.beads/issues.jsonl'

/** Real trackers have a few MiB; a file beyond this is no tracker. */
export const MAX_ISSUES_BYTES = 256 * 1024 * 1024

export type SourceKind = 'path' | 'url'

/** A path on this machine or something git can fetch from; null: neither. */
export function sourceKind(source: string): SourceKind | null {
  if (isAbsolute(source)) return 'path'
  if (/^(https?|ssh|git|file):\/\/./.test(source)) return 'url'
  if (/^[\w.-]+@[\w.-]+:[^\s]+$/.test(source)) return 'url' // git@host:owner/name.git
  return null
}

export const nameOf = (source: string): string =>
  basename(source.replace(/[/:]+$/, '').replace(/:/g, '/')).replace(/\.git$/, '')

export type IssuesFile = { text: string; stamp: string }

/** What changes when the file does, or null when there is none: a cheap look, for polling. */
export async function issuesStamp(folder: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(join(folder, ISSUES_FILE))
    return `${mtimeMs}:${size}:${ino}`
  } catch {
    return null
  }
}

/**
 * The tracker's file of a working tree, or null when it has none. The folder may hold anything: only a regular file is
 * read, never through a link, never a pipe that would block.
 */
export async function readIssuesFile(folder: string): Promise<IssuesFile | null> {
  let file
  try {
    file = await open(join(folder, ISSUES_FILE), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  try {
    const info = await file.stat()
    const { mtimeMs, size, ino } = info
    if (!info.isFile()) throw new Error(`${ISSUES_FILE} is not a regular file`)
    if (size > MAX_ISSUES_BYTES)
      throw new Error(`${ISSUES_FILE} is ${size} bytes; more than ${MAX_ISSUES_BYTES} is no tracker`)
    return { text: await file.readFile('utf8'), stamp: `${mtimeMs}:${size}:${ino}` }
  } finally {
    await file.close()
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
