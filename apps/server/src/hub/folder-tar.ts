import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { HubError } from '../ports/hub.ts'
import type { Clock } from '../process/clock.ts'
import { inTime, within } from '../process/within.ts'

/** An entry of the stream of a container's folder. */
export type Entry = {
  /** The path below the folder; null: the folder itself, or an invalid name. */
  path: string | null
  kind: 'file' | 'folder' | 'symlink' | 'link' | 'other'
  size: number
  executable: boolean
  /** For a symbolic link: its text. For a hard link: the path, below the folder, of the same file. */
  target?: string
}

const kinds: Record<string, Entry['kind']> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'symlink',
  link: 'link',
}

/** A frozen disk neither gives nor takes anything, and an engine or a git that waits for it cannot be ended. */
const SILENCE_MS = 60_000
const silent = (): HubError =>
  new HubError(
    'timed-out',
    `nothing of the container's files could be read for ${SILENCE_MS / 1000} s: their disk, or the hub's, does not answer. Look at it (dmesg)`,
  )

/**
 * Gives `take` one entry after the other. Throws `HubError` for a stream that does not begin, stalls or breaks off, or
 * when `signal` aborts.
 */
export async function readTar(
  open: () => Promise<Readable>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  take: (entry: Entry, content: AsyncIterable<unknown>) => Promise<void>,
): Promise<void> {
  const tar = await begun(open, clock)
  const entries = extract()
  const stop = () => tar.destroy(new HubError('timed-out', 'the files of the container could not be read in time'))
  signal.addEventListener('abort', stop, { once: true })
  tar.once('error', (error) => entries.destroy(error))
  let whole = false
  tar.once('end', () => (whole = true))
  tar.once('close', () => whole || entries.destroy(new HubError('git-failed', 'the files of the container broke off')))
  tar.pipe(entries)
  endIfSilent(tar, clock)
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

/** An engine may answer everything else and never this. */
async function begun(open: () => Promise<Readable>, clock: Clock): Promise<Readable> {
  const late = Promise.withResolvers<never>()
  const opening = open()
  const give = () => {
    late.reject(silent())
    opening.then(
      (tar) => tar.destroy(),
      () => {},
    )
  }
  return within(clock, SILENCE_MS, give, () => Promise.race([opening, late.promise]))
}

function endIfSilent(tar: Readable, clock: Clock): void {
  const over = new AbortController()
  let moved = true
  tar.once('close', () => over.abort(inTime))
  tar.on('data', () => (moved = true))
  void (async () => {
    while (moved) {
      moved = false
      await clock.sleep(SILENCE_MS, over.signal)
      if (over.signal.aborted) return
    }
    tar.destroy(silent())
  })()
}

/** Removes the folder's own name, with which every path of the stream begins. */
function below(name: string): string | null {
  const [, ...rest] = name
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/')
  return rest.length === 0 ? null : rest.join('/')
}

/** No file of a repository's own folder, and no name that leads elsewhere. */
export const isClean = (path: string): boolean =>
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')
