import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { treePath } from '../clones/names.ts'

/** The folder of a local repository's submodules; null: it is elsewhere, or has none. `git`: its git folder. */
export async function modulesFolder(repository: string, git: '.git' | ''): Promise<string | null> {
  if (!isAbsolute(repository)) return null
  const own = join(repository, git)
  const folders = git === '' ? [own] : [own, ...(await linked(repository, own))]
  for (const folder of folders.map((one) => join(one, 'modules'))) if (await isFolder(folder)) return folder
  return null
}

/** The git folder of a linked working tree, and that of the repository that it belongs to. */
async function linked(repository: string, file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [, folder] = /^gitdir: ([^\n]{1,4000})\n?$/.exec(text) ?? []
  const found = folder === undefined ? null : resolve(repository, folder)
  return found === null ? [] : [found, resolve(found, '..', '..')]
}

/** A submodule's repository there, by its name, which anybody may have chosen; null: there is none. */
export async function localModule(folder: string, name: string): Promise<string | null> {
  const clean = treePath(name)
  if (clean === null || clean !== name || clean.startsWith('-') || clean.includes('\\')) return null
  try {
    const [within, found] = [await realpath(folder), await realpath(join(folder, clean))]
    return found.startsWith(within + sep) && (await isFolder(join(found, 'objects'))) ? found : null
  } catch {
    return null
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
