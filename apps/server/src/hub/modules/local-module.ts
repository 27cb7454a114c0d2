import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { treePath } from '../clones/names.ts'

/** Where git keeps the submodules of a repository on this machine; null: it is elsewhere, or has none. `git`: where it has its own. */
export async function modulesFolder(repository: string, git: '.git' | ''): Promise<string | null> {
  const folder = join(repository, git, 'modules')
  return isAbsolute(repository) && (await isFolder(folder)) ? folder : null
}

/** A submodule's repository there, by its name, which is anybody's; null: there is none. */
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
