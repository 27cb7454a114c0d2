import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PublicRepository } from './public-repository.ts'

const start = promisify(execFile)

export const git = async (folder: string, ...args: string[]): Promise<string> =>
  (await start('git', ['-C', folder, ...args], { maxBuffer: 64 * 1024 ** 2 })).stdout

/** The places of a repository in a folder of clones: directly, below its owner, or bare. */
const places = (clones: string, name: string): string[] => {
  const [owner = '', own = ''] = name.split('/')
  return [
    join(clones, owner, own),
    join(clones, owner, `${own}.git`),
    join(clones, `${owner}+${own}`, 'repo'),
    join(clones, `${owner}-${own}`),
    join(clones, own),
    join(clones, `${own}.git`),
  ]
}

/**
 * Makes a newcomer's clone: a working tree with the whole history, on the project's own branch, at the commit of the
 * list. Writes nothing into the clone that it copies. If that lacks files of the past, as an archive may, the new clone
 * has only this commit, with the existing files.
 *
 * @param clones a folder of clones; null, or if it lacks this repository: clones from GitHub
 */
export async function cloneInto(
  folder: string,
  { name, commit }: PublicRepository,
  clones: string | null,
): Promise<void> {
  const local = clones === null ? undefined : places(clones, name).find((place) => existsSync(place))
  if (local !== undefined && (await lacksFiles(local, commit))) return copyOf(folder, local, commit)
  await start('git', ['clone', '--quiet', local ?? `https://github.com/${name}.git`, folder])
  await git(folder, 'reset', '--quiet', '--hard', commit)
  // Published work stays in this clone and never goes to its source.
  await git(folder, 'remote', 'remove', 'origin')
}

const missing = async (clone: string, ...what: string[]): Promise<Set<string>> => {
  const listed = await git(clone, 'rev-list', '--objects', '--missing=print', ...what)
  return new Set(listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : [])))
}

const lacksFiles = async (clone: string, commit: string): Promise<boolean> => (await missing(clone, commit)).size > 0

/** Copies all existing files of the commit into one new commit. */
async function copyOf(folder: string, clone: string, commit: string): Promise<void> {
  const gone = await missing(clone, `${commit}^{tree}`)
  const objects = (await git(clone, 'rev-parse', '--path-format=absolute', '--git-path', 'objects')).trim()
  const env = { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }
  const inside = (...args: string[]) => start('git', ['-C', folder, ...args], { env, maxBuffer: 64 * 1024 ** 2 })
  await start('git', ['init', '--quiet', folder])
  await inside('read-tree', commit)
  const entries = (await inside('ls-files', '--stage', '-z')).stdout.split('\0')
  const lost = entries.flatMap((entry) => (gone.has(entry.split(' ')[1] ?? '') ? [entry.split('\t')[1] ?? ''] : []))
  if (lost.length > 0) await inside('update-index', '--force-remove', '--', ...lost)
  await inside('checkout-index', '--all')
  rmSync(join(folder, '.git', 'index'))
  await git(folder, 'add', '--all', '--force')
  const author = ['-c', 'user.name=A Developer', '-c', 'user.email=dev@example.org']
  await git(folder, ...author, 'commit', '--quiet', '-m', `The files of ${commit}`)
}

export async function filesAt(folder: string): Promise<string[]> {
  return (await git(folder, 'ls-files', '-z')).split('\0').filter(Boolean)
}
