import { readGitmodules, type ModuleSection } from '@beadloom/core/environment/formats/gitmodules.ts'
import type { Modules } from '../../ports/hub.ts'
import { moduleOf, treePath } from '../clones/names.ts'
import type { Git } from '../git/git.ts'
import { ObjectReader } from '../git/read-objects.ts'
import { Refs } from '../git/refs.ts'
import { localModule, modulesFolder } from './local-module.ts'
import { type Address, moduleAddress, type Place } from './module-address.ts'

const MODULES = '.gitmodules'
const MOST_TEXT = 256 * 1024
const MOST = 50
const DEEPEST = 4

/** A repository whose submodules are walked: `folder` has its files, `''` or with a slash at its end. */
type Level = Place & { commit: string; folder: string; local: string | null; depth: number }

/** A submodule, and its places; `local`: a repository of the person's working tree. `why`: why no remote is asked. */
export type Wanted = { path: string; commit: string; local: Address | null; remote: Place | null; why: string }

export type Missing = Modules['missing'][number]

export type Walk = {
  git: Git
  gitDir: string
  commit: string
  /** The address of the project's repository; null: nobody will be asked, and no address is worked out. */
  source: Address | null
  /** Gets the commit that has its files, or the reason for none. */
  come: (wanted: Wanted) => Promise<string | Missing>
  /** Called with each one, including those that are here. */
  seen?: (wanted: Wanted) => void
}

/** A commit's submodules and those within them, level by level: fifty of them at most, four levels deep. */
export async function walkModules({ git, gitDir, commit, source, come, seen }: Walk): Promise<Modules> {
  const reader = new ObjectReader(git, gitDir)
  const refs = new Refs(git, gitDir)
  const found: Modules = { here: [], missing: [] }
  const local = source === null ? null : await modulesFolder(source, '.git')
  const levels: Level[] = [{ commit, folder: '', address: source ?? '', asAnybody: false, local, depth: 1 }]
  for (let level = levels.shift(); level !== undefined; level = levels.shift()) {
    for (const section of await sectionsOf(reader, level.commit)) {
      const inner = section.path === null ? null : treePath(section.path)
      const pointed = inner === null ? null : await reader.pointer(level.commit, inner)
      if (inner === null || pointed === null) continue // this commit has nothing here
      if (found.here.length + found.missing.length === MOST) return found
      const path = level.folder + inner
      const wanted = { path, commit: pointed, ...(source === null ? nowhere : await placesOf(level, section)) }
      seen?.(wanted)
      const files = (await refs.tip(moduleOf(pointed))) ?? (await come(wanted))
      if (typeof files !== 'string') {
        found.missing.push(files)
        continue
      }
      found.here.push({ path, commit: files })
      if (level.depth < DEEPEST) levels.push(await below(level, wanted, files))
    }
  }
  return found
}

const nowhere = { local: null, remote: null, why: '' }

async function placesOf(level: Level, { name, url }: ModuleSection): Promise<Pick<Wanted, 'local' | 'remote' | 'why'>> {
  const local = level.local === null ? null : await localModule(level.local, name)
  if (url === null) return { local, remote: null, why: 'it has no address' }
  const found = moduleAddress(level.address, url)
  if ('why' in found) return { local, remote: null, why: found.why }
  // A public repository names only public places: it must not lead back to the person's own.
  return { local, remote: { ...found, asAnybody: found.asAnybody || level.asAnybody }, why: '' }
}

/** Submodules within a submodule are relative to its address. */
async function below(
  { depth, address, asAnybody }: Level,
  { path, local, remote }: Wanted,
  commit: string,
): Promise<Level> {
  const folder = local === null ? null : await modulesFolder(local, '')
  const place = remote ?? { address: local ?? address, asAnybody }
  return { ...place, commit, folder: `${path}/`, local: folder, depth: depth + 1 }
}

/** The sections; none if the file is too large, or is none. */
async function sectionsOf(reader: ObjectReader, commit: string): Promise<ModuleSection[]> {
  const text = await reader.file(commit, MODULES, MOST_TEXT).catch(() => null)
  return text === null ? [] : readGitmodules(text)
}
