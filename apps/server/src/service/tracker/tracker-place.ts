import { signatureFrom } from '@beadloom/core/project/identity.ts'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { BeadsAdapter, Tracker } from '../../ports/tracker.ts'
import { sourceKind } from '../projects/project-source.ts'

type Row = Pick<ProjectRow, 'id' | 'source' | 'settings'>

/**
 * The tracker of a project: the one in its working tree, else its branches. Null: there is no working tree, and the
 * branches were never fetched, or the settings that name them never read.
 */
export async function trackerOf(tracker: Tracker, hub: Hub, row: Row, fetched: boolean): Promise<BeadsAdapter | null> {
  const settings = settingsIn(row)
  const write = settings?.tracker?.write ?? true
  const branches = fetched && settings !== null
  if ((await hasWorkingTree(row.source)) || (!branches && sourceKind(row.source) === 'path')) {
    const found = await tracker.find(row.source)
    return write ? found : readOnly(found)
  }
  if (!branches) return null
  const { baseBranch, workBranch } = settings
  const project = { id: row.id, source: row.source, baseBranch }
  const { author = null, committer = null } = settings
  const by = signatureFrom({ author, committer }, await hub.person())
  return tracker.ofBranch({ hub, project, branches: { baseBranch, workBranch, by }, write })
}

/** A bare repository has none, nor has a folder that is gone: then there are only the branches. */
export async function hasWorkingTree(source: string): Promise<boolean> {
  if (sourceKind(source) !== 'path' || !(await isThere(source))) return false
  if (await isThere(join(source, '.git'))) return true
  return !((await isThere(join(source, 'HEAD'))) && (await isThere(join(source, 'objects'))))
}

/** Settings stored by an older server lack what came later. */
type Newer = 'tracker' | 'author' | 'committer'
type Stored = Omit<ProjectSettings, Newer> & Partial<Pick<ProjectSettings, Newer>>

const settingsIn = (row: Row): Stored | null => (row.settings === null ? null : (JSON.parse(row.settings) as Stored))

function readOnly(adapter: BeadsAdapter): BeadsAdapter {
  const text = `${adapter.info.text}; nothing is written, because "tracker.write" in beadloom.json is false`
  return {
    ...adapter,
    info: { ...adapter.info, writable: false, text },
    write: (changes) => Promise.resolve(changes.map(() => ({ result: 'later', text }))),
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
