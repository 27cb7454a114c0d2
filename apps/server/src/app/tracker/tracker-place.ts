import { signatureFrom } from '@beadloom/core/records/identity.ts'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import { BD_CONFIG, MOST_BD_CONFIG } from '../../ports/tracker.ts'
import type { BeadsAdapter, Tracker, TrackerInfo } from '../../ports/tracker.ts'
import { sourceKind } from '../stored/project-source.ts'

type Row = Pick<ProjectRow, 'id' | 'source' | 'settings'>

/**
 * The tracker of a project: the one in its working tree, else its branches. Null: there is no working tree, and either
 * the branches were never fetched or the settings that name them never read.
 */
export async function trackerOf(tracker: Tracker, hub: Hub, row: Row, fetched: boolean): Promise<BeadsAdapter | null> {
  const settings = settingsIn(row)
  const write = settings?.tracker?.write ?? true
  const branches = fetched && settings !== null
  if ((await hasWorkingTree(row.source)) || (!branches && sourceKind(row.source) === 'path')) {
    const found = await tracker.find(row.source)
    const { branch } = found.info
    if (branch !== undefined) return ofOther(tracker, hub, row, settings, { ...found.info, branch })
    return write ? found : readOnly(found)
  }
  if (!branches) return null
  const other = await elsewhere(tracker, hub, row.id, settings.baseBranch)
  if (other !== null) return ofOther(tracker, hub, row, settings, other)
  const { baseBranch, workBranch } = settings
  const project = { id: row.id, source: row.source, baseBranch }
  const { author = null, committer = null } = settings
  const by = signatureFrom({ author, committer }, await hub.person())
  return tracker.ofBranch({ hub, project, branches: { baseBranch, workBranch, by }, write })
}

async function elsewhere(tracker: Tracker, hub: Hub, id: ProjectId, baseBranch: string) {
  const tip = await tipOf(hub, id, baseBranch)
  const config = tip && (await hub.readFile(id, tip, BD_CONFIG, MOST_BD_CONFIG))
  return config ? tracker.elsewhere(config, baseBranch) : null
}

/**
 * The beads on the branch where `bd` before 1.0 keeps them, read-only. It is fetched with all others, and read again
 * when it has moved.
 */
async function ofOther(
  tracker: Tracker,
  hub: Hub,
  row: Row,
  settings: Stored | null,
  info: TrackerInfo & { branch: string },
): Promise<BeadsAdapter> {
  const by = signatureFrom({ author: null, committer: null }, null) // for a port that also writes
  const branches = { baseBranch: info.branch, workBranch: info.branch, by }
  const project = settings && { id: row.id, source: row.source, baseBranch: settings.baseBranch }
  const found = project && (await tracker.ofBranch({ hub, project, branches, write: false }))
  return {
    info: { ...info, kind: 'branch' },
    read: () => (found === null ? Promise.resolve(null) : found.read()),
    stamp: () => tipOf(hub, row.id, info.branch),
    write: (changes) => Promise.resolve(changes.map(() => ({ result: 'later', text: info.text }))),
  }
}

async function tipOf(hub: Hub, id: ProjectId, branch: string): Promise<string | null> {
  try {
    return await hub.tip(id, `refs/remotes/origin/${branch}`)
  } catch (error) {
    if (error instanceof HubError) return null
    throw error
  }
}

/** Whether there is a working tree, else only branches. A bare repository has none, nor has a removed folder. */
export async function hasWorkingTree(source: string): Promise<boolean> {
  if (sourceKind(source) !== 'path' || !(await isThere(source))) return false
  if (await isThere(join(source, '.git'))) return true
  return !((await isThere(join(source, 'HEAD'))) && (await isThere(join(source, 'objects'))))
}

/** Fields that an older server's stored settings lack. */
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
