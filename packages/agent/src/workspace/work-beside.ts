import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { SessionFailure } from '../ends/session-failure.ts'

/*
 * Work in a workspace that HEAD and the changes of files do not show: commits that nothing pushed reaches, repositories
 * in folders, files that git was told to overlook.
 */

/** Git knows this tree even without having it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Whether there is more than HEAD and the files that git shows. `base`: the commit that the work began with. */
export async function hasMoreBeside(git: Git, base: string): Promise<boolean> {
  if ((await looseCommits(git, await git.commitOf('HEAD'))).length > 0) return true
  if ((await overlooksFiles(git)) || (await convertsFiles(git, base))) return true
  for (const path of await gitlinks(git, base)) if (await isOnlyHere(git, path)) return true
  return false
}

/**
 * Commits that neither `head` nor a branch of the hub reaches: those of other branches, of a branch whose rebase was
 * broken off, of stashes. Leaves out commits that others of them reach, and those whose changes `head` has in its own
 * commits: amended, or rebased before the push.
 */
export async function looseCommits(git: Git, head: string | null): Promise<string[]> {
  const stashes = (await git.run(['rev-list', '--walk-reflogs', 'refs/stash', '--'])).stdout.split('\n').filter(Boolean)
  const known = ['--not', '--remotes=origin', ...(head === null ? [] : [head])]
  const args = ['rev-list', '--parents', '--branches', '--tags', ...stashes, ...known]
  const lines = (await git.must('the commits of other branches could not be read', args)).split('\n').filter(Boolean)
  const commits = lines.map((line) => line.split(' '))
  const unknown = new Set(commits.map(([commit]) => commit))
  const reached = new Set(commits.flatMap(([, ...parents]) => parents))
  const tips = commits.flatMap(([commit = '']) => (reached.has(commit) ? [] : [commit]))
  if (head === null) return tips
  const loose: string[] = []
  for (const tip of tips) {
    const more = ['rev-list', '--cherry-pick', '--right-only', `${head}...${tip}`]
    const own = (await git.must('the commits of other branches could not be compared', more)).split('\n')
    if (own.some((commit) => unknown.has(commit))) loose.push(tip)
  }
  return loose
}

/** Whether files are marked so that git does not look at them. A sparse checkout marks missing files like that. */
export async function overlooksFiles(git: Git): Promise<boolean> {
  if ((await git.run(['config', '--type=bool', 'core.sparseCheckout'])).stdout.trim() === 'true') return false
  return /^(?:[a-z]|S) /m.test(await git.must('the list of files could not be read', ['ls-files', '-v']))
}

/** Settings with which git commits something other than a file's content. */
const CONVERTING = String.raw`^(core\.(autocrlf|attributesfile)|filter\..*\.(clean|process))$`

/**
 * Whether commits may differ from the files' content: through a filter, another encoding or line ends that the agent
 * itself has set. The project's own attributes for line ends do not count. `base`: the commit that the work began with.
 */
export async function convertsFiles(git: Git, base: string): Promise<boolean> {
  if ((await git.run(['config', '--get-regexp', CONVERTING])).code !== 1) return true
  if (await lstat(join(git.directory, 'info', 'attributes')).catch(() => null)) return true
  const since = (await git.commitOf(base)) ?? EMPTY_TREE
  const attributes = ['.gitattributes', '**/.gitattributes'].map((path) => `:(glob)${path}`)
  return (await git.run(['diff', '--quiet', '--no-ext-diff', '--no-textconv', since, '--', ...attributes])).code !== 0
}

/** Folders with a repository of their own that differ from `base`: git records each as one entry, without its files. */
export async function gitlinks(git: Git, base: string, env: Record<string, string> = {}): Promise<string[]> {
  const since = (await git.commitOf(base)) ?? EMPTY_TREE
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--ignore-submodules=none', since]
  const changed = await git.must('the repositories in the workspace could not be listed', args, { env })
  const status = ['status', '--porcelain=v2', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=none']
  const used = await git.must('the repositories in the workspace could not be looked at', status, { env })
  return [
    ...new Set([
      ...[...changed.matchAll(/:\d+ 160000 [^\0]*\0([^\0]+)/g)].map(([, path = '']) => path),
      ...[...used.matchAll(/(?<=^|\0)1 .. S\S{3} (?:\S+ ){5}([^\0]+)/g)].map(([, path = '']) => path),
    ]),
  ]
}

/** Whether a repository in a folder holds something that exists nowhere else. */
export async function isOnlyHere(git: Git, path: string): Promise<boolean> {
  if (path.includes('\ufffd')) throw new SessionFailure('the name of a repository in the workspace is no UTF-8')
  const folder = join(git.folder, path)
  if (!(await lstat(join(folder, '.git')).catch(() => null))) return false
  const inner = git.in(folder)
  const { code, stdout } = await inner.run(['status', '--porcelain', '-z', '--untracked-files=all'])
  if (code !== 0 || stdout !== '') return true
  const own = await inner.run([
    'rev-list',
    '--max-count=1',
    'HEAD',
    '--branches',
    '--glob=refs/stash',
    '--not',
    '--remotes',
  ])
  return own.code !== 0 || own.stdout !== ''
}
