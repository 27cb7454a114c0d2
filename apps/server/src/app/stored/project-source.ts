import { basename, isAbsolute } from 'node:path'

export type SourceKind = 'path' | 'url'

/** Whether this is a path on this machine or a URL that git can fetch; null: neither. */
export function sourceKind(source: string): SourceKind | null {
  if (isAbsolute(source)) return 'path'
  if (/^(https?|ssh|git|file):\/\/./.test(source)) return 'url'
  if (/^[\w.-]+@[\w.-]+:[^\s]+$/.test(source)) return 'url' // git@host:owner/name.git
  return null
}

export const nameOf = (source: string): string =>
  basename(source.replace(/[/:]+$/, '').replace(/:/g, '/')).replace(/\.git$/, '')
