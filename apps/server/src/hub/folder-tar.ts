import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { HubError } from '../ports/hub.ts'

/** An entry of the stream of a container's folder. */
export type Entry = {
  /** Below the folder; null: the folder itself, or a name that cannot be right. */
  path: string | null
  kind: 'file' | 'folder' | 'symlink' | 'link' | 'other'
  size: number
  executable: boolean
  /** Of a symbolic link: its text. Of a hard link: the path, below the folder, of the same file. */
  target?: string
}

const kinds: Record<string, Entry['kind']> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'symlink',
  link: 'link',
}

/** Gives `take` one entry after the other. Throws `HubError` for a stream that breaks off, or when `signal` aborts. */
export async function readTar(
  tar: Readable,
  signal: AbortSignal,
  take: (entry: Entry, content: AsyncIterable<unknown>) => Promise<void>,
): Promise<void> {
  const entries = extract()
  const stop = () => tar.destroy(new HubError('timed-out', 'the files of the container could not be read in time'))
  signal.addEventListener('abort', stop, { once: true })
  tar.once('error', (error) => entries.destroy(error))
  let whole = false
  tar.once('end', () => (whole = true))
  tar.once('close', () => whole || entries.destroy(new HubError('git-failed', 'the files of the container broke off')))
  tar.pipe(entries)
  try {
    for await (const entry of entries) {
      const { name, type, size = 0, mode = 0, linkname } = entry.header
      const kind = kinds[type ?? ''] ?? 'other'
      const target = kind === 'link' ? (below(linkname ?? '') ?? undefined) : (linkname ?? undefined)
      await take({ path: below(name), kind, size, executable: (mode & 0o100) !== 0, target }, entry)
      entry.resume()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    tar.destroy()
  }
}

/** Without the folder's own name, which every path of the stream begins with. */
function below(name: string): string | null {
  const [, ...rest] = name
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/')
  return rest.length === 0 ? null : rest.join('/')
}

/** Nothing of a repository's own, and no name that means another place. */
export const isClean = (path: string): boolean =>
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
