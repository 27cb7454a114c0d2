import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tmpdir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { extract } from 'tar-stream'
import type { Clock } from '../process/clock.ts'
import { within } from '../process/within.ts'
import { HubError, type FolderImport } from '../ports/hub.ts'
import type { Git } from './git/git.ts'
import { Refs } from './git/refs.ts'

/*
 * A commit of a folder that comes as a tar stream: of a container that has ended, so that nothing in it is asked. The
 * stream is read twice: first for its names and ignore rules, then for the files that count. Everything in it is
 * hostile: names are checked, sizes are bounded, and nothing but ignore rules is ever a file on this machine.
 */

const MOST_FILES = 200_000
const MOST_BYTES = 2 * 1024 ** 3
const MOST_RULES_BYTES = 1024 ** 2
const LIMIT_MS = 15 * 60_000
/** Only the server writes there; no container sees it. */
const STAGING = 'refs/hub/importing/'
const COMMITTER = 'Beadloom <beadloom@localhost>'

export type ImportDeps = { git: Git; gitDir: string; clock: Clock }

/** The commit on `ref`; null when the folder has exactly what `onto` has. */
export async function importFolder(deps: ImportDeps, what: FolderImport): Promise<string | null> {
  const limit = new AbortController()
  return within(
    deps.clock,
    LIMIT_MS,
    () => limit.abort(),
    () => commitFolder(deps, what, limit.signal),
  )
}

async function commitFolder(deps: ImportDeps, what: FolderImport, signal: AbortSignal): Promise<string | null> {
  const { git, gitDir } = deps
  const refs = new Refs(git, gitDir)
  const scratch = await mkdtemp(join(tmpdir(), 'beadloom-import-'))
  const staging = STAGING + what.ref.replaceAll('/', '-')
  try {
    const ignored = await findIgnored(deps, what, scratch, signal)
    await writeCommit(deps, what, staging, ignored, signal)
    const commit = await refs.tip(staging)
    if (commit === null) throw new HubError('git-failed', 'git wrote no commit of the files that were read')
    if (what.onto !== null && (await refs.madeOf(commit))[0] === (await refs.madeOf(what.onto))[0]) return null
    if (!(await refs.move(what.ref, null, commit)))
      throw new HubError('refused', `${what.ref} is there already, so nothing was put on it`)
    return commit
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await git.run({ gitDir, args: ['update-ref', '-d', staging] }).catch(() => {})
  }
}

/** What the folder's own rules ignore, unless it is in the commit below: git itself decides, in a folder of rules alone. */
async function findIgnored(
  { git, gitDir }: ImportDeps,
  { tar, onto }: FolderImport,
  scratch: string,
  signal: AbortSignal,
): Promise<Set<string>> {
  await git.run({ args: ['init', '--quiet', '--template=', scratch], signal })
  const paths: string[] = []
  let rules = 0
  await readTar(await tar(), signal, async ({ path, kind, size }, content) => {
    const isRules = path === '.git/info/exclude' || (path !== null && /(^|\/)\.gitignore$/.test(path) && isClean(path))
    if (path !== null && isRules && kind === 'file' && (rules += size) <= MOST_RULES_BYTES) {
      const file = join(scratch, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, await collect(content))
    }
    if (path === null || !isClean(path) || kind === 'folder') return
    if (paths.push(path) > MOST_FILES)
      throw new HubError('refused', `the workspace has more than ${MOST_FILES} files, which is too many to save here`)
  })
  // A name that begins with a colon would be taken for more than a name.
  const input = paths.map((path) => `./${path}\0`).join('')
  // In the folder itself: what git finds there are rules, and nothing that it could run.
  const args = ['--no-literal-pathspecs', '-C', scratch, 'check-ignore', '--no-index', '-z', '--stdin']
  const found = input === '' ? '' : await git.text({ args, input, answers: [1], limitBytes: 256 * 1024 ** 2, signal })
  const ignored = new Set(
    found
      .split('\0')
      .filter(Boolean)
      .map((path) => path.slice(2)),
  )
  if (onto === null || ignored.size === 0) return ignored
  const tracked = await git.text({ gitDir, args: ['ls-tree', '-r', '-z', '--name-only', onto], signal })
  for (const path of tracked.split('\0')) ignored.delete(path)
  return ignored
}

async function writeCommit(
  { git, gitDir, clock }: ImportDeps,
  { tar, onto, message }: FolderImport,
  staging: string,
  ignored: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const writing = git.start({
    args: ['fast-import', '--quiet', '--done', '--force'],
    gitDir,
    timeoutMs: LIMIT_MS,
    signal,
  })
  writing.stdout.resume()
  const put = (bytes: string | Buffer) => write(writing.stdin, bytes, writing.ended)
  const marks = new Map<string, { mark: number; mode: string }>()
  const lines: string[] = []
  let bytes = 0
  try {
    await readTar(await tar(), signal, async ({ path, kind, size, executable, target }, content) => {
      if (path === null || !isClean(path) || ignored.has(path)) return
      if (kind === 'link') {
        const first = target === undefined ? undefined : marks.get(target)
        if (first) lines.push(`M ${first.mode} :${first.mark} ${quoted(path)}\n`)
        return
      }
      if (kind !== 'file' && kind !== 'symlink') return
      if ((bytes += size) > MOST_BYTES)
        throw new HubError(
          'refused',
          `the workspace holds more than ${MOST_BYTES / 1024 ** 3} GiB, which is too much to save here`,
        )
      const mark = marks.size + 1
      const mode = kind === 'symlink' ? '120000' : executable ? '100755' : '100644'
      marks.set(path, { mark, mode })
      lines.push(`M ${mode} :${mark} ${quoted(path)}\n`)
      const link = kind === 'symlink' ? Buffer.from(target ?? '') : null
      await put(`blob\nmark :${mark}\ndata ${link ? link.length : size}\n`)
      if (link) await put(link)
      else for await (const chunk of content) await put(chunk as Buffer)
      await put('\n')
    })
    const at = `${COMMITTER} ${Math.floor(clock.now() / 1000)} +0000`
    await put(`commit ${staging}\ncommitter ${at}\ndata ${Buffer.byteLength(message)}\n${message}\n`)
    if (onto !== null) await put(`from ${onto}\n`)
    await put('deleteall\n')
    for (const line of lines) await put(line)
    await put('\ndone\n')
    writing.stdin.end()
  } catch (error) {
    writing.kill()
    await writing.ended.catch(() => {})
    throw error
  }
  const { code, stderr } = await writing.ended
  if (code !== 0) throw new HubError('git-failed', `git fast-import failed (exit ${code}): ${stderr.trim()}`)
}

type Entry = {
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

async function readTar(
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
const isClean = (path: string): boolean =>
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')

/** As fast-import reads a path that may hold anything. */
const quoted = (path: string): string =>
  `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

async function write(stdin: Writable, bytes: string | Buffer, ended: Promise<{ stderr: string }>): Promise<void> {
  if (stdin.destroyed || stdin.writableEnded) throw await brokenOff(ended)
  if (stdin.write(bytes)) return
  const left = new AbortController()
  try {
    const drained = once(stdin, 'drain', { signal: left.signal })
    const broken = ended.then(async () => Promise.reject(await brokenOff(ended)))
    await Promise.race([drained, broken])
  } finally {
    left.abort()
  }
}

const brokenOff = async (ended: Promise<{ stderr: string }>): Promise<HubError> =>
  new HubError('git-failed', `git fast-import broke off: ${(await ended).stderr.trim()}`)

async function collect(content: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
