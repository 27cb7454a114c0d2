import { leftRefOf } from '../execution/save-ref.ts'
import { signatureOf } from '../execution/signature.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { namedLeft, type FolderImport, type FolderImported } from '../ports/hub/folder-import.ts'
import type { Hub } from '../ports/hub.ts'
import type { ContainerRow } from '../ports/store/containers.ts'
import type { Recorded } from '../ports/recorder.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import { limited } from '../process/within.ts'
import { beginSession, orderOf, signedCheckoutOf } from './begin-session.ts'
import { AGENT } from './open-sandbox.ts'
import { runSession } from './session.ts'

/** Saving is a commit and a push; a container that takes longer is broken or hostile. */
const SAVE_LIMIT_MS = 120_000

/**
 * `ref` null: the hub has everything in it. `kept`: the reason why it cannot be saved. `lost`: a sentence about a
 * container that was removed before it was saved.
 */
export type Left = { ref: string | null } | { kept: string } | { lost: string }

export const lostWith = (container: string): string =>
  `The container ${container} was removed outside Beadloom. If it held unsaved work, that is lost.`

/**
 * Saves the contents of a sandbox's workspace on a ref of the hub. Runs one more session in the sandbox, because its git
 * knows best what is ignored and what was committed. If that fails, for whatever reason, reads the files from the
 * stopped sandbox, without relying on anything that ran there.
 * Only what the hub itself reports counts as saved.
 */
export async function saveWork(live: LiveExecution, sandbox: Sandbox): Promise<Left> {
  const { log } = live.deps
  try {
    const now = await sandbox.state()
    if (now.state === 'gone') return { lost: lostWith(sandbox.name) }
    if (now.state === 'created' && now.startedAt <= 0) return { ref: null } // it never ran
    if (!hadAgent(live, sandbox)) return { ref: null } // started early, for a session that never began
    await sandbox.stop(0)
    return (await saveByItself(live, sandbox)) ?? (await saveFromOutside(live, sandbox))
  } catch (error) {
    log.warn({ error, execution: live.id }, 'the work in a container could not be saved')
    return { kept: messageOf(error) }
  }
}

/** A session that was about to start when the server died has no container noted yet. */
const hadAgent = ({ deps: { store }, id }: LiveExecution, sandbox: Sandbox): boolean =>
  store
    .sessions(id)
    .some(({ kind, container }) => kind === AGENT.kind && (container === sandbox.id || container === null))

/** Null: the sandbox's own git failed. */
async function saveByItself(live: LiveExecution, sandbox: Sandbox): Promise<Left | null> {
  const { hub, clock, log } = live.deps
  const { ref } = await freeRef(hub, live.project.id, live.id)
  const { attempt, branch, baseCommit } = storedOf(live)
  const session = await beginSession(live, 'save', attempt)
  const git = await signedCheckoutOf(live, branch, baseCommit ?? '')
  try {
    const saving = (signal: AbortSignal) =>
      runSession(live, sandbox, {
        id: session,
        attempt,
        order: orderOf(live, session, git, { kind: 'save', ref }),
        access: { project: live.project.id, execution: live.id, pushable: { branch } },
        agent: null,
        signal,
      })
    const { outcome, recorded } = await limited({ clock, ms: SAVE_LIMIT_MS }, saving)
    const commit = await hub.tip(live.project.id, ref)
    if (commit) return saved(live, ref, commit)
    const nothing = outcome === 'success' && recorded.result?.savedRef === null
    return nothing && (await isInHub(live, recorded.result)) ? { ref: null } : null
  } catch (error) {
    log.warn({ error, execution: live.id }, 'a container could not be started to save its work')
    return null
  }
}

async function saveFromOutside(live: LiveExecution, sandbox: Sandbox): Promise<Left> {
  const { hub } = live.deps
  await sandbox.stop(0)
  const { branch, baseCommit } = storedOf(live)
  const onto = (await hub.tip(live.project.id, `refs/heads/${branch}`)) ?? baseCommit
  const what = { onto, message: 'Left in the workspace, read from the stopped container', by: await signatureOf(live) }
  const { ref, made, unsaved } = await putFiles(hub, live.project.id, live.id, what, sandbox)
  if (ref !== null && made !== null) await saved(live, ref, made)
  return unsaved === null ? { ref } : { kept: unsaved }
}

async function saved({ deps: { store }, id }: LiveExecution, ref: string, commit: string): Promise<Left> {
  await store.addEvent(id, null, 'saved', { ref, commit })
  return { ref }
}

/** For an execution that is in no table: its branch and its base are unknown, so the commit has no parent. */
export const saveUnknown = (
  hub: Hub,
  { project, owner, name }: Pick<ContainerRow, 'project' | 'owner' | 'name'>,
  sandbox: Sandbox,
): Promise<Put> => {
  const message = `Left in the container ${name}, whose execution is not in the database`
  return putFiles(hub, project, owner ?? name, { onto: null, message }, sandbox)
}

/**
 * `ref` null: the hub has all of it. `made`: the new commit on it; null: an earlier save had the same. `unsaved`: a
 * sentence about files that could not be saved, for which the sandbox is kept.
 */
type Put = { ref: string | null; made: string | null; unsaved: string | null }

/** Reads the files of a stopped sandbox, in which nothing is run, and puts them on a ref of the hub. */
async function putFiles(
  hub: Hub,
  project: ProjectId,
  id: string,
  what: Pick<FolderImport, 'onto' | 'message' | 'by'>,
  sandbox: Sandbox,
): Promise<Put> {
  const { ref, before } = await freeRef(hub, project, id)
  const tar = () => sandbox.readFolder(WORKSPACE)
  const { commit, left } = await hub.importFolder(project, { ...what, ref, before: before?.commit ?? null, tar })
  const unsaved = left.length === 0 ? null : leftText(left)
  if (commit === null) return { ref: null, made: null, unsaved }
  return commit === before?.commit ? { ref: before.ref, made: null, unsaved } : { ref, made: commit, unsaved }
}

const leftText = (left: FolderImported['left']): string =>
  `Its other files are saved; not saved here: ${namedLeft(left)}. Copy them out of it, then discard it.`

type FreeRef = { ref: string; before: { ref: string; commit: string } | null }

/**
 * Finds a free ref. Refs are never moved: the work of an earlier container of the execution stays. `before`: the ref
 * before it and its commit, perhaps of this container.
 */
async function freeRef(hub: Hub, project: ProjectId, id: string): Promise<FreeRef> {
  let before: FreeRef['before'] = null
  for (let number = 1; ; number++) {
    const ref = leftRefOf(id, number)
    const tip = await hub.tip(project, ref)
    if (tip === null) return { ref, before }
    before = { ref, commit: tip }
  }
}

/**
 * Whether the hub has the commit or ref that a session reported. The session's own word is not enough: it reports
 * a result even if it was told to stop before it had saved anything.
 */
export async function isInHub(live: LiveExecution, result: Recorded['result']): Promise<boolean> {
  const { hub } = live.deps
  const { id } = live.project
  if (!result) return false
  try {
    if (result.savedRef !== null)
      return result.savedRef.startsWith(`refs/beadloom/${live.id}/`) && (await hub.tip(id, result.savedRef)) !== null
    if (result.dirty || result.commit === null) return false
    const tip = await hub.tip(id, `refs/heads/${storedOf(live).branch}`)
    return tip !== null && (tip === result.commit || (await hub.contains(id, tip, result.commit)))
  } catch {
    return false // a commit or a ref that the hub cannot read
  }
}
