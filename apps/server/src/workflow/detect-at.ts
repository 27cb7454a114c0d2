import { detected, type Detected } from '@beadloom/core/environment/commands/detected.ts'
import type { Found } from '@beadloom/core/environment/found.ts'
import { MOST_PATHS, MOST_TEXT } from '@beadloom/core/environment/files/repository-files.ts'
import { headedFiles, headOf, MOST_OF_A_LOCK, wantedFiles } from '@beadloom/core/environment/files/wanted-files.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Aside } from '../ports/aside.ts'
import type { Hub } from '../ports/hub.ts'

/** The parts that read a repository's files. */
export type Detecting = { hub: Pick<Hub, 'readFiles' | 'paths'>; aside: Pick<Aside, 'environment'> }

/** The tests that a commit's own files show: the base branch's for a project's settings, any other's for its work. */
export async function detectAt(deps: Detecting, project: ProjectId, commit: string): Promise<Detected> {
  return detected(await foundAt(deps, project, commit))
}

/** A large repository takes a second to list, and is asked about several times for each bead. */
const MOST_KEPT = 16
const kept = new WeakMap<Detecting['hub'], Map<string, Promise<Found>>>()

/** Everything that a commit's files show, in all its folders. A commit never changes, so the result stays true. */
export function foundAt(deps: Detecting, project: ProjectId, commit: string): Promise<Found> {
  const { hub } = deps
  const known = kept.get(hub) ?? new Map<string, Promise<Found>>()
  kept.set(hub, known)
  const key = `${project} ${commit}`
  const found = known.get(key) ?? read(deps, project, commit)
  known.delete(key)
  known.set(key, found) // the one asked for last is dropped last
  found.catch(() => known.delete(key))
  for (const old of known.keys()) if (known.size > MOST_KEPT) known.delete(old)
  return found
}

async function read({ hub, aside }: Detecting, project: ProjectId, commit: string): Promise<Found> {
  // One above the limit, to know whether there are more.
  const paths = await hub.paths(project, commit, MOST_PATHS + 1)
  // A file that is too large counts as unreadable: its tool may read it all the same.
  const texts = await hub.readFiles(project, commit, wantedFiles(paths), MOST_TEXT)
  for (const path of headedFiles(paths)) {
    const text = (await hub.readFiles(project, commit, [path], MOST_OF_A_LOCK)).get(path)
    // A copy: a substring would keep all of the text in memory.
    if (text !== undefined) texts.set(path, Buffer.from(headOf(text)).toString())
  }
  return aside.environment({ paths, texts })
}
