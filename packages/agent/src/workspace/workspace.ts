import { access, appendFile, constants, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitOrder, TestsOf } from '@beadloom/core/execution/session-order.ts'
import { checkOutModules } from './modules.ts'
import { branchWhereHeadIs } from './ready-branch.ts'
import { configure } from './configure.ts'
import { isConnectionTrouble, lastLines, type Git } from './git.ts'
import { NoLink } from '../ends/no-link.ts'
import { SessionFailure } from '../ends/session-failure.ts'

const FETCH = ['fetch', '--quiet', '--no-recurse-submodules']

/** For `setup`: checks the commit out, detached, in a folder that may be empty. Other files in the folder stay. */
export async function checkOutForSetup(git: Git, order: GitOrder): Promise<void> {
  await openRepository(git, order)
  await fetchHub(git)
  await checkOutCommit(git, order.commit)
  await checkOutModules(git, order)
}

/**
 * For `verify`: checks out exactly the commit. Ignored files stay (what setup installed), everything else is removed.
 * `tests`: with these files of another commit, and without others.
 */
export async function checkOutForVerify(git: Git, order: GitOrder, tests?: TestsOf): Promise<void> {
  await checkOutForSetup(git, order)
  await clean(git)
  if (!tests) return
  const { commit, paths, without = [], texts = [] } = tests
  // Regular files of the commit, so no folder above them is a link.
  for (const { path, text } of texts) await writeFile(join(git.folder, path), text, { flag: OVER })
  if (without.length > 0)
    await git.must('new tests could not be taken away', ['rm', '--quiet', '--force', '--', ...without.map(literal)])
  if (paths.length === 0) return
  await fetchCommit(git, commit)
  await git.must('the tests could not be checked out', [
    'checkout',
    '--quiet',
    '--force',
    commit,
    '--',
    ...paths.map(literal),
  ])
}

/** Opens an existing file, and no link in its place. */
const OVER = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW

const literal = (path: string): string => `:(literal)${path}`

/** For an agent's first session: checks out its branch as the hub has it, on top of what setup installed. */
export async function checkOutBranch(git: Git, order: GitOrder): Promise<void> {
  const isReady = order.ready === order.commit && order.tip === order.commit
  // The committer is known only now.
  if (isReady) await configure(git, order)
  if (isReady && (await branchWhereHeadIs(git, order))) return checkOutModules(git, order)
  if (!isReady) await openRepository(git, order)
  if (!(await unpackTip(git, order)) && !(await fetchTip(git, order))) await fetchHub(git)
  if (!isReady) await noteFiles(git)
  const args = ['checkout', '--quiet', '--force', '-B', order.branch, '--track', `origin/${order.branch}`]
  const { code, stderr } = await git.run(args, { show: true })
  if (code !== 0 && !(await git.commitOf(remoteOf(order))))
    throw new SessionFailure(`the hub has no branch ${order.branch}`)
  if (code !== 0) throw new SessionFailure(`the branch ${order.branch} could not be checked out: ${lastLines(stderr)}`)
  if (!isReady) await clean(git)
  await checkOutModules(git, order)
}

const remoteOf = ({ branch }: GitOrder): string => `refs/remotes/origin/${branch}`

/**
 * Opens the repository; an image has that of its setup. Each git that is not started saves time before an agent's first
 * word.
 */
async function openRepository(git: Git, order: GitOrder): Promise<void> {
  await removeLocks(git)
  const isThere = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => access(join(git.directory, name)))).then(
    () => true,
    () => false, // git itself sees no repository there
  )
  if (!isThere) await makeRepository(git)
  await configure(git, order)
}

/**
 * Unpacks what came with the order, in a third of the time of a fetch. Strict: everything that an object names must be
 * here or in the pack. False if nothing came, or it needs objects that are not here.
 */
async function unpackTip(git: Git, order: GitOrder): Promise<boolean> {
  const { tip, pack } = order
  if (tip === undefined || pack === undefined) return false
  const stdin = Buffer.from(pack, 'base64')
  if ((await git.run(['unpack-objects', '-q', '--strict'], { stdin })).code !== 0) return false
  return (await git.run(['update-ref', remoteOf(order), tip])).code === 0
}

/**
 * Fetches only the hub's branch, at its commit: git asks for nothing that is here already, and needs no list of
 * branches to ask for a commit. False if the hub has no such commit, or cannot be reached.
 */
async function fetchTip(git: Git, order: GitOrder): Promise<boolean> {
  if (order.tip === undefined) return false
  const { code } = await git.run([...FETCH, '--no-tags', 'origin', `+${order.tip}:${remoteOf(order)}`])
  return code === 0
}

/**
 * For an agent's later session: opens the workspace as the last one left it. If that one removed or damaged the
 * repository, recreates it around the files, which stay as they are.
 */
export async function resumeBranch(git: Git, order: GitOrder): Promise<void> {
  await removeLocks(git)
  const damage = await findDamage(git)
  if (!damage) {
    // The previous session ended before it had the branch.
    if (!(await git.commitOf(`refs/heads/${order.branch}`))) return checkOutBranch(git, order)
    await configure(git, order)
    return fetchHub(git)
  }
  await rm(git.directory, { recursive: true, force: true })
  await makeRepository(git)
  await configure(git, order)
  await fetchHub(git)
  await git.must('the repository could not be recreated', ['symbolic-ref', 'HEAD', `refs/heads/${order.branch}`])
  await git.must('the repository could not be recreated', ['reset', '--quiet', `refs/remotes/origin/${order.branch}`])
  await git.must('the repository could not be recreated', ['branch', '-u', `origin/${order.branch}`])
}

/** The same on no branch: the files stay as the agent left them, unless they cannot be worked with. */
export async function resumeDetached(git: Git, order: GitOrder): Promise<void> {
  await removeLocks(git)
  if ((await findDamage(git)) !== null) return checkOutForVerify(git, order)
  await configure(git, order)
}

/**
 * Makes git ignore files that `setup` made and the project does not ignore (a new lock file, an unlisted dependency
 * folder): they survive the clean-up before an agent starts and are never committed as its work.
 */
export async function ignoreWhatSetupMade(git: Git): Promise<void> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--directory', '--no-empty-directory']
  const listed = await git.must('the files that setup made could not be listed', args)
  const patterns = listed
    .split('\0')
    .filter(Boolean)
    .map(excludePattern)
    .filter((pattern) => pattern !== null)
  if (patterns.length === 0) return
  await mkdir(join(git.directory, 'info'), { recursive: true })
  await appendFile(join(git.directory, 'info', 'exclude'), `\n${patterns.join('\n')}\n`)
}

/** A rule that excludes the path; null for the few names that the file's format cannot hold. */
export function excludePattern(path: string): string | null {
  if (/[\n\r\ufffd]/.test(path)) return null
  return `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`
}

/** Why the repository cannot be used, or null. */
export async function findDamage(git: Git): Promise<string | null> {
  const head = await git.run(['rev-parse', '--verify', 'HEAD^{commit}'])
  if (head.code !== 0) return lastLines(head.stderr, 2)
  // Without locks it only reads: a full disk that takes no new index is no damage.
  const env = { GIT_OPTIONAL_LOCKS: '0' }
  const status = await git.run(['status', '--porcelain', '-z', '--untracked-files=no'], { env })
  return status.code === 0 ? null : lastLines(status.stderr, 2)
}

/** Removes all locks: when a session starts, no other process is running, so a killed one left them. */
export async function removeLocks(git: Git): Promise<void> {
  const entries = await readdir(git.directory).catch(() => [])
  const refs = await readdir(join(git.directory, 'refs'), { recursive: true }).catch(() => [])
  const locks = [...entries, ...refs.map((name) => join('refs', name))].filter((name) => name.endsWith('.lock'))
  for (const name of locks) await rm(join(git.directory, name), { recursive: true, force: true })
}

async function makeRepository(git: Git): Promise<void> {
  await removeLocks(git)
  const args = ['init', '--quiet', '--template=', '--initial-branch=beadloom-start']
  await git.must(`a repository could not be created in ${git.folder} (does the folder belong to this user?)`, args)
}

async function fetchHub(git: Git): Promise<void> {
  const { code, stderr } = await git.talk([...FETCH, '--prune', 'origin'], { show: true })
  if (code === 0) return
  const text = `fetching from the hub failed: ${lastLines(stderr)}`
  // The checkout's commit is not at fault.
  throw isConnectionTrouble(stderr) ? new NoLink(text) : new SessionFailure(text)
}

export async function fetchCommit(git: Git, commit: string): Promise<void> {
  if (!(await git.commitOf(commit))) {
    const { code, stderr } = await git.talk([...FETCH, 'origin', commit], { show: true })
    if (code !== 0 || !(await git.commitOf(commit))) {
      throw new SessionFailure(`the hub has no commit ${commit || '(none was named)'}: ${lastLines(stderr)}`)
    }
  }
}

/**
 * Files from an image have other inodes than its index says. `checkout --force` would write each of them anew, which
 * takes many times as long as reading them. Then everything would be newer than what setup built of it, and make,
 * Cargo, CMake and Maven would rebuild all. This compares contents first; most files are unchanged.
 */
const noteFiles = (git: Git): Promise<unknown> => git.run(['update-index', '-q', '--refresh'])

async function checkOutCommit(git: Git, commit: string): Promise<void> {
  await fetchCommit(git, commit)
  await noteFiles(git)
  await git.must(
    `the commit ${commit} could not be checked out`,
    ['checkout', '--quiet', '--force', '--detach', commit],
    {
      show: true,
    },
  )
}

/** `-f` twice also removes embedded repositories that something left behind. */
const clean = (git: Git): Promise<string> =>
  git.must('leftovers in the workspace could not be removed', ['clean', '-ffd', '--quiet'])
