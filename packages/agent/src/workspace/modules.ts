import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitOrder, ModuleOrder } from '@beadloom/core/execution/session-order.ts'
import { isConnectionTrouble, lastLines, type Git } from './git.ts'
import { NoLink } from '../ends/no-link.ts'
import { SessionFailure } from '../ends/session-failure.ts'

/**
 * Puts the files of submodules into their folders, from commits that the hub keeps for that. They get no repository of
 * their own: to git such a folder is an uninitialised submodule, so nothing in it is ever committed, even by `git add
 * --all`.
 */
export async function checkOutModules(git: Git, { modules = [] }: Pick<GitOrder, 'modules'>): Promise<void> {
  const before = await placed(git)
  if (modules.length === 0 && before.length === 0) return
  await fetchModules(git, modules)
  await mkdir(indexes(git), { recursive: true })
  const now = new Set(modules.map(({ path }) => path))
  for (const path of before) if (!now.has(path)) await takeAway(git, path)
  for (const { path, commit } of modules) {
    await mkdir(join(git.folder, path), { recursive: true })
    await place(git, path, commit)
  }
  await leaveToUs(git, now)
  await writeFile(listOf(git), JSON.stringify([...now]))
}

/**
 * Switches these submodules' updates off: scripts of many projects run `git submodule update --init`, which would find
 * a folder that is not empty, and fail.
 */
async function leaveToUs(git: Git, paths: ReadonlySet<string>): Promise<void> {
  const args = [
    'config',
    '--file',
    join(git.folder, '.gitmodules'),
    '--null',
    '--get-regexp',
    String.raw`^submodule\..*\.path$`,
  ]
  const { stdout } = await git.run(args)
  for (const entry of stdout.split('\0')) {
    const [, name, path] = /^submodule\.([^\n]+)\.path\n([^]*)$/.exec(entry) ?? []
    if (name === undefined || path === undefined || !paths.has(path)) continue
    await git.run(['config', '--local', `submodule.${name}.update`, 'none'])
  }
}

const indexes = (git: Git): string => join(git.directory, 'beadloom-modules')
const listOf = (git: Git): string => join(indexes(git), 'list.json')

/**
 * Each submodule has its own index, so that files which another commit no longer has go, and files that setup made
 * stay.
 */
function indexOf(git: Git, path: string): string {
  // Few projects have submodules, and loading this costs every session 8 ms and 1.4 MB.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return join(indexes(git), createHash('sha256').update(path).digest('hex').slice(0, 32))
}

const place = (git: Git, path: string, tree: string): Promise<string> =>
  git
    .onlyOf(join(git.folder, path))
    .must(`the submodule ${path} could not be checked out`, ['read-tree', '--reset', '-u', tree], {
      env: { GIT_INDEX_FILE: indexOf(git, path) },
    })

/** The submodules of an earlier checkout. Ignores anything in the file that cannot be a path. */
async function placed(git: Git): Promise<string[]> {
  try {
    const list: unknown = JSON.parse(await readFile(listOf(git), 'utf8'))
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/**
 * Removes a submodule's files: if it now points to a commit that nobody has, old files would hide that. The project's
 * own files stay.
 */
async function takeAway(git: Git, path: string): Promise<void> {
  const { stdout } = await git.run(['ls-files', '--stage', '-z', '--', `:(literal)${path}`])
  if (stdout.startsWith('160000 ')) {
    const empty = await git.must('an empty tree could not be made', ['hash-object', '-w', '-t', 'tree', '--stdin'], {
      stdin: '',
    })
    await place(git, path, empty.trim())
  }
  await rm(indexOf(git, path), { force: true })
}

async function fetchModules(git: Git, modules: readonly ModuleOrder[]): Promise<void> {
  const missing = new Set<string>()
  for (const { commit } of modules) if (!(await git.commitOf(commit))) missing.add(commit)
  if (missing.size === 0) return
  const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', 'origin']
  const { code, stderr } = await git.talk([...args, ...missing], { show: true })
  if (code === 0) return
  const text = `fetching submodules from the hub failed: ${lastLines(stderr)}`
  throw isConnectionTrouble(stderr) ? new NoLink(text) : new SessionFailure(text)
}
