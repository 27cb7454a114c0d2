import { coAuthored } from '@beadloom/core/records/identity.ts'
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import { gitFailure, lastLines, type Git } from './git.ts'
import { convertsFiles, gitlinks, isOnlyHere, looseCommits, overlooksFiles } from './work-beside.ts'
import { SessionFailure } from '../ends/session-failure.ts'

export type Saved = {
  /** Null when there was nothing to save. */
  savedRef: string | null
  /** Something was not committed. */
  dirty: boolean
}

const MESSAGE = 'Left in the workspace, not committed by the agent'
/** In the workspace and not in `/tmp`, which is small and in memory. */
const RESCUE_FOLDER = '.beadloom-rescue'
/** The most repositories without a commit. */
const MOST_EMPTY = 20

/**
 * Saves on `ref` what the workspace holds beyond the hub's branch, without touching HEAD, index or files: uncommitted
 * changes, commits that were not pushed, and, as further parents, commits of other branches and of stashes. Throws a
 * `SessionFailure` if it cannot save all of it.
 */
export async function saveLeftover(git: Git, order: GitOrder, ref: string): Promise<Saved> {
  const head = await git.commitOf('HEAD')
  const left = await commitFiles(git, head, order, { others: await looseCommits(git, head) })
  const dirty = left !== head
  if (!dirty && (head === null || (await isInHub(git, order, head)))) return { savedRef: null, dirty }
  await pushTo(git, order, left!, ref)
  return { savedRef: ref, dirty }
}

/**
 * Puts the result of a subtask, committed or not, on `ref` as one commit, on top of the agent's own commits if it made
 * any. It does so even if those are all there is, so that the hub sees that there are some. Returns that commit.
 */
export async function leaveResult(git: Git, order: GitOrder, ref: string): Promise<string> {
  const head = await git.commitOf('HEAD')
  const left = await commitFiles(git, head, order, { evenIfSame: head !== order.commit })
  if (left === null) throw new SessionFailure('the workspace has no commit')
  await pushTo(git, order, left, ref)
  return left
}

/** The same for a damaged repository: a new one beside it, based on the hub's branch, takes the files. */
export async function rescueFiles(git: Git, order: GitOrder, ref: string): Promise<Saved> {
  const directory = join(git.folder, RESCUE_FOLDER)
  const rescue = git.at(directory)
  await rm(directory, { recursive: true, force: true })
  try {
    await rescue.must('a new repository could not be created', ['init', '--quiet', '--template='])
    await mkdir(join(directory, 'info'), { recursive: true })
    await copyFile(join(git.directory, 'info', 'exclude'), join(directory, 'info', 'exclude')).catch(() => {})
    await writeFile(join(directory, 'info', 'exclude'), `\n/${RESCUE_FOLDER}/\n`, { flag: 'a' })
    await fetchBranch(rescue, order, ['--depth=1'])
    const base = await rescue.must("the hub's branch could not be read", ['rev-parse', 'FETCH_HEAD'])
    const left = await commitFiles(rescue, base.trim(), order)
    if (left === base.trim()) return { savedRef: null, dirty: false }
    await pushTo(rescue, order, left!, ref)
    return { savedRef: ref, dirty: true }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * A commit of all files that are not ignored, on top of `head` and of `others`; or `head` itself if nothing differs and
 * there are no others.
 */
async function commitFiles(
  git: Git,
  head: string | null,
  order: GitOrder,
  { others = [], evenIfSame = false }: { others?: readonly string[]; evenIfSame?: boolean } = {},
): Promise<string | null> {
  const converts = await convertsFiles(git, order.commit)
  const known = head !== null && !converts && !(await overlooksFiles(git))
  const tree = await withPlainAttributes(git, () => treeOf(git, head, order.commit, known))
  const before = head && (await git.must('HEAD could not be read', ['rev-parse', `${head}^{tree}`])).trim()
  if (others.length === 0 && head !== null && tree === before && !evenIfSame) return head
  const parents = [...(head ? [head] : []), ...others].flatMap((parent) => ['-p', parent])
  const args = [...identity(order), 'commit-tree', tree, ...parents, '-m', signed(order, MESSAGE)]
  return (await git.must('the files could not be committed', args)).trim()
}

/**
 * The tree of all files that are not ignored, including those of repositories in folders. `head`: the commit that the
 * repository's own index belongs to. `isKnown`: the index can be trusted about files that have not changed since.
 */
async function treeOf(git: Git, head: string | null, base: string, isKnown: boolean): Promise<string> {
  const folder = await mkdtemp(join(git.directory, 'beadloom-index-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    const copied = isKnown && (await copyIndex(git, env.GIT_INDEX_FILE))
    if (!copied && head) await git.must('the index could not be read', ['read-tree', head], { env })
    const { without, unread } = await addAll(git, env)
    if (unread) throw new SessionFailure('some files could not be read')
    // Outside of a sparse checkout's paths git does not add changes of tracked files, and does not say so.
    const { code } = await git.run(['diff-files', '--quiet', '--ignore-submodules=all'], { env })
    if (code !== 0) throw new SessionFailure('some files could not be added')
    for (const path of new Set([...without, ...(await gitlinks(git, base, env))]))
      if (await isOnlyHere(git, path)) await addFilesOf(git, path, env)
    return (await git.must('the files could not be written to the repository', ['write-tree'], { env })).trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Keeps the time of the index: by it git knows which files may have changed since without a sign, with the same size in
 * the same second. A younger copy would hide such a change.
 */
async function copyIndex(git: Git, to: string): Promise<boolean> {
  const index = join(git.directory, 'index')
  try {
    const seconds = Math.floor((await stat(index)).mtimeMs / 1000)
    await copyFile(index, to)
    await utimes(to, seconds, seconds)
    return true
  } catch {
    return false
  }
}

/** Adds a repository in a folder as its files: git alone would only note a commit that nobody else has. */
async function addFilesOf(git: Git, path: string, env: Record<string, string>): Promise<void> {
  const tree = await treeOf(git.onlyOf(join(git.folder, path)), null, '', false)
  const what = `the files of the repository in ${path} could not be added`
  await git.must(what, ['update-index', '--force-remove', '--', path], { env })
  await git.must(what, ['read-tree', `--prefix=${path}/`, tree], { env })
}

/** Saves the plain bytes, whatever attributes the files have: these rules override all others. */
const PLAIN = '* !filter !working-tree-encoding !ident -text !eol\n'

async function withPlainAttributes<T>(git: Git, work: () => Promise<T>): Promise<T> {
  const file = join(git.directory, 'info', 'attributes')
  const before = await readFile(file).catch(() => null)
  await rm(file, { recursive: true, force: true })
  await mkdir(join(git.directory, 'info'), { recursive: true })
  await writeFile(file, PLAIN)
  try {
    return await work()
  } finally {
    await (before === null ? rm(file, { force: true }) : writeFile(file, before)).catch(() => {})
  }
}

/**
 * `without`: repositories that git cannot add because they have no commit. `unread`: whether some files cannot be read.
 */
type Added = { without: string[]; unread: boolean }

/** Adds everything, except what cannot be added, so that the rest is saved. */
export async function addAll(git: Git, env: Record<string, string> = {}): Promise<Added> {
  const without: string[] = []
  for (let tries = 0; tries < MOST_EMPTY; tries++) {
    const args = ['add', '--all', '--ignore-errors', '--', '.', ...without.map((path) => `:(exclude,literal)${path}`)]
    const { code, stderr } = await git.run(args, { env })
    if (code === 0) return { without, unread: isClosed(stderr) }
    const embedded = /'(.+?)\/?' does not have a commit checked out/.exec(stderr)?.[1]
    if (embedded === undefined || without.includes(embedded)) {
      if (/adding files failed/.test(stderr) && code === 1) return { without, unread: true }
      throw gitFailure('the files could not be added', stderr)
    }
    without.push(embedded)
  }
  return { without, unread: true }
}

/** Whether git reports a folder that it could not read, which it does not treat as an error. */
export const isClosed = (stderr: string): boolean => stderr.includes('could not open directory')

export const identity = ({ author, committer = author }: GitOrder): string[] =>
  [
    `user.name=${author.name}`,
    `user.email=${author.email}`,
    `committer.name=${committer.name}`,
    `committer.email=${committer.email}`,
  ].flatMap((setting) => ['-c', setting])

/** Our message, with the line that names the agent beside the author. */
export const signed = ({ coAuthor }: GitOrder, message: string): string =>
  coAuthor === undefined || message.includes(coAuthored(coAuthor))
    ? message
    : `${message.trimEnd()}\n\n${coAuthored(coAuthor)}\n`

async function fetchBranch(git: Git, order: GitOrder, options: string[] = []): Promise<void> {
  const args = ['fetch', '--no-recurse-submodules', '--no-tags', ...options, order.url, `refs/heads/${order.branch}`]
  const { code, stderr } = await git.talk(args)
  if (code !== 0)
    throw new SessionFailure(`the branch ${order.branch} could not be fetched from the hub: ${lastLines(stderr)}`)
}

async function isInHub(git: Git, order: GitOrder, head: string): Promise<boolean> {
  await fetchBranch(git, order)
  return git.isAncestor(head, 'FETCH_HEAD')
}

async function pushTo(git: Git, order: GitOrder, commit: string, ref: string): Promise<void> {
  const { code, stderr } = await git.talk(['push', '--no-verify', order.url, `+${commit}:${ref}`], { show: true })
  if (code !== 0) throw gitFailure(`the uncommitted work could not be pushed to ${ref}`, stderr)
}
