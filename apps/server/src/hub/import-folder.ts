import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import type { Writable } from 'node:stream'
import { identityText, usualSignature } from '@beadloom/core/records/identity.ts'
import type { Clock } from '../process/clock.ts'
import { limited } from '../process/within.ts'
import { HubError } from '../ports/hub.ts'
import { namedLeft, type FolderImport, type FolderImported } from '../ports/hub/folder-import.ts'
import { isClean, readTar } from './folder-tar.ts'
import { GitFailure, type Git } from './git/git.ts'
import type { GitEnd } from './git/git-process.ts'
import { Refs } from './git/refs.ts'
import { planImport, type Plan } from './import-plan.ts'

/*
 * A commit of a folder from a tar stream: the container has ended, and nothing in it is asked. The stream is read
 * twice: first for its names and ignore rules, then for the files that count. Everything in it is hostile: names are
 * checked, sizes are bounded, and only ignore rules ever become files on this machine.
 */

const LIMIT_MS = 15 * 60_000
/** Only the server writes there; no container sees it. */
const STAGING = 'refs/hub/importing/'

export type ImportDeps = { git: Git; gitDir: string; clock: Clock }

/** Makes the commit on `ref`. */
export function importFolder(deps: ImportDeps, what: FolderImport): Promise<FolderImported> {
  return limited({ clock: deps.clock, ms: LIMIT_MS }, (signal) => commitFolder(deps, what, signal))
}

async function commitFolder(deps: ImportDeps, what: FolderImport, signal: AbortSignal): Promise<FolderImported> {
  const { git, gitDir } = deps
  const refs = new Refs(git, gitDir)
  const scratch = await mkdtemp(join(tmpdir(), 'beadloom-import-'))
  const staging = STAGING + what.ref.replaceAll('/', '-')
  try {
    const plan = await planImport(deps, what, scratch, signal)
    await writeCommit(deps, what, staging, plan, signal)
    const commit = await refs.tip(staging)
    if (commit === null) throw new HubError('git-failed', 'git wrote no commit of the files that were read')
    const { left } = plan
    const [tree] = await refs.madeOf(commit)
    for (const known of [what.onto, what.before ?? null])
      if (known !== null && (await refs.madeOf(known))[0] === tree)
        return { commit: known === what.onto ? null : known, left }
    if (!(await refs.move(what.ref, null, commit)))
      throw new HubError('refused', `${what.ref} is there already, so nothing was put on it`)
    return { commit, left }
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await git.run({ gitDir, args: ['update-ref', '-d', staging] }).catch(() => {})
  }
}

async function writeCommit(
  { git, gitDir, clock }: ImportDeps,
  { tar, onto, message, by = usualSignature }: FolderImport,
  staging: string,
  { ignored, linked, submodules, left, without }: Plan,
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
  try {
    await readTar(tar, { clock, signal }, async ({ path, kind, size, executable, target }, content) => {
      if (path === null || !isClean(path)) return
      const isWanted = !ignored.has(path)
      if ((!isWanted && !linked.has(path)) || without.has(path)) return
      if (kind === 'link') {
        const first = target === undefined ? undefined : marks.get(target)
        if (first && isWanted) lines.push(`M ${first.mode} :${first.mark} ${quoted(path)}\n`)
        return
      }
      if (kind !== 'file' && kind !== 'symlink') return
      const mark = marks.size + 1
      const mode = kind === 'symlink' ? '120000' : executable ? '100755' : '100644'
      marks.set(path, { mark, mode })
      if (isWanted) lines.push(`M ${mode} :${mark} ${quoted(path)}\n`)
      const link = kind === 'symlink' ? Buffer.from(target ?? '') : null
      await put(`blob\nmark :${mark}\ndata ${link ? link.length : size}\n`)
      if (link) await put(link)
      else for await (const chunk of content) await put(chunk as Buffer)
      await put('\n')
    })
    const when = `${Math.floor(clock.now() / 1000)} +0000`
    const [author, committer] = [by.author, by.committer].map((who) => `${identityText(who)} ${when}`)
    const text = `${message}${left.length === 0 ? '' : `\n\nNot saved here: ${namedLeft(left)}`}`
    await put(`commit ${staging}\nauthor ${author}\ncommitter ${committer}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
    if (onto !== null) await put(`from ${onto}\n`)
    await put('deleteall\n')
    for (const [path, commit] of submodules) await put(`M 160000 ${commit} ${quoted(path)}\n`)
    for (const [path, known] of without) if (known) await put(`M ${known.mode} ${known.object} ${quoted(path)}\n`)
    for (const line of lines) await put(line)
    await put('\ndone\n')
    writing.stdin.end()
  } catch (error) {
    writing.kill()
    await writing.ended.catch(() => {})
    throw error
  }
  const { code, stderr } = await writing.ended
  if (code !== 0) throw new GitFailure('fast-import', { code, stderr })
}

/** A path in the form that fast-import reads, whatever it holds. */
const quoted = (path: string): string =>
  `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

async function write(stdin: Writable, bytes: string | Buffer, ended: Promise<GitEnd>): Promise<void> {
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

const brokenOff = async (ended: Promise<GitEnd>): Promise<HubError> => new GitFailure('fast-import', await ended)
