import { usuallyIgnored } from '@beadloom/core/bead/ignored.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Fetched, Hub } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import { LONGEST_WAIT_MS } from '../../ports/store/tracker-queue.ts'
import {
  ISSUES_FILE,
  MAX_ISSUES_BYTES,
  TrackerError,
  type BeadsAdapter,
  type Tracker,
  type TrackerFile,
  type TrackerInfo,
} from '../../ports/tracker.ts'
import type { TrackerMemory } from '../../ports/tracker-blocks.ts'
import { piecesOf } from '../../process/text-pieces.ts'
import { sourceKind } from '../stored/project-source.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import { Outlook } from './outlook.ts'
import { claimInTracker, type Claim } from './tracker-claim.ts'
import { hasWorkingTree, trackerOf } from './tracker-place.ts'
import { storeOf } from './tracked-store.ts'
import { TrackerWriter, type TrackerWriterDeps } from './tracker-writer.ts'

export type TrackerSyncDeps = TrackerWriterDeps & { hub: Hub; tracker: Tracker }

/** Other projects' capabilities that beads wait for are looked up again after this time. */
const LOOK_MS = 5_000

/** A tracker that was busy when it was read is asked again after this time, even if nothing in it changes. */
const BUSY_MS = 60_000

/**
 * `found`: the tracker's own text, even if the base branch is read instead of it. `stamp`: the stamp at the last try to
 * read it; `taken`: at the last read. `again`: when it is read again in any case, by the clock that does not jump.
 */
type Known = { info: TrackerInfo; found: string | null; stamp: string | null; taken: string | null; again?: number }

/** Keeps the beads here and those in a project's tracker in sync. One call at a time for each project. */
export class TrackerSync {
  readonly #deps: TrackerSyncDeps
  readonly #known = new Map<ProjectId, Known>()
  /** The memory that each project's last reading leaves for the next. */
  readonly #read = new Map<ProjectId, TrackerMemory>()
  readonly #outlooks = new Map<ProjectId, { outlook: Outlook; at: number }>()
  readonly #writer: TrackerWriter

  constructor(deps: TrackerSyncDeps) {
    this.#deps = deps
    this.#writer = new TrackerWriter(deps)
  }

  /** The tracker that the last sync found; null before the first. */
  info(project: ProjectId): TrackerInfo | null {
    return this.#known.get(project)?.info ?? null
  }

  forget(project: ProjectId): void {
    this.#known.delete(project)
    this.#read.delete(project)
    this.#outlooks.delete(project)
    this.#writer.forget(project)
  }

  /** Whether a sync is due by itself: the tracker has changed, or a waiting change is due. */
  async isDue(row: ProjectRow): Promise<boolean> {
    const { id } = row
    const known = this.#known.get(id)
    if (this.#looksOther(id)) return true
    if (!(await hasWorkingTree(row.source))) return known?.info.writable === true && this.#writer.isCommitDue(id)
    const adapter = await this.#find(row)
    if (!adapter) return false
    if (!known || (await adapter.stamp()) !== known.stamp || adapter.info.text !== known.found) return true
    if (known.again !== undefined && known.again <= this.#deps.clock.monotonic()) return true
    const { dueAt } = this.#deps.store.trackerState(id)
    const now = this.#deps.clock.now()
    return adapter.info.writable && dueAt !== null && (dueAt <= now || dueAt > now + LONGEST_WAIT_MS)
  }

  /** The name of the tracker whose claims count for people, or null: it has none that could be asked. */
  claimsIn({ id, source }: ProjectRow): string | null {
    const kind = sourceKind(source) === 'path' ? this.#known.get(id)?.info.kind : undefined
    return kind === 'bd' ? 'bd' : kind === 'jsonl' ? 'the tracker' : null
  }

  /**
   * Claims a bead in its tracker for an execution that is to start. Somebody else's claim is remembered. Throws
   * `TrackerError` if the tracker cannot be asked.
   */
  async claim(row: ProjectRow, id: BeadId): Promise<Claim> {
    const { store } = this.#deps
    const bead = store.bead(row.id, id)
    if (!bead || this.claimsIn(row) === null || store.isUnfiled(row.id, id)) return { claim: 'ours' }
    const adapter = await this.#find(row)
    if (!adapter?.info.writable) return { claim: 'ours' }
    return claimInTracker(store, adapter, bead)
  }

  #looksOther(project: ProjectId): boolean {
    const known = this.#outlooks.get(project)
    const now = this.#deps.clock.monotonic()
    if (!known || now - known.at < LOOK_MS) return false
    known.at = now
    return known.outlook.hasChanged()
  }

  #find(row: ProjectRow, fetched = false): Promise<BeadsAdapter | null> {
    return trackerOf(this.#deps.tracker, this.#deps.hub, row, fetched)
  }

  /**
   * Reads the tracker's beads, then writes its missing changes. `due`: changes that are due later than this stay in the
   * queue. Returns warnings for the project.
   */
  async sync(row: ProjectRow, fetched: Fetched | null, due = Number.MAX_SAFE_INTEGER): Promise<string[]> {
    const adapter = await this.#find(row, fetched !== null)
    if (adapter === null || adapter.info.kind === 'none') return this.#fromCommit(row, fetched, adapter)
    const warnings: string[] = []
    try {
      await this.#readFrom(row, adapter, warnings)
      if (!adapter.info.writable) return warnings
      if (await this.#writer.write(row.id, adapter, due)) {
        warnings.length = 0
        await this.#readFrom(row, adapter, warnings)
      }
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error
      // The last reading is kept, and waiting changes stay in the queue.
      warnings.push(`${error.message} (continuing with what was read before)`)
      const known = this.#known.get(row.id)
      if (known && error.kind === 'busy')
        this.#known.set(row.id, { ...known, again: this.#deps.clock.monotonic() + BUSY_MS })
    }
    const { problem, waiting } = this.#deps.store.trackerState(row.id)
    const what = waiting === 1 ? '1 change is' : `${waiting} changes are`
    if (problem !== '') warnings.push(`${what} waiting to be written to the tracker: ${problem}`)
    return warnings
  }

  async #readFrom(row: ProjectRow, adapter: BeadsAdapter, warnings: string[]): Promise<void> {
    const stamp = await adapter.stamp()
    const taken = this.#known.get(row.id)?.taken ?? null
    // Before reading: an unreadable tracker is tried again once it has changed.
    this.#known.set(row.id, { info: adapter.info, found: adapter.info.text, stamp, taken })
    const file = await adapter.read(taken)
    if (file === null) return
    const left = await this.#take(row, file, warnings)
    this.#known.set(row.id, { info: withLeft(adapter.info, left), found: adapter.info.text, stamp, taken: stamp })
  }

  async #fromCommit(row: ProjectRow, fetched: Fetched | null, adapter: BeadsAdapter | null): Promise<string[]> {
    const { hub, tracker } = this.#deps
    const text = fetched && (await hub.readFile(row.id, fetched.commit, ISSUES_FILE, MAX_ISSUES_BYTES))
    const info = text === null && adapter ? adapter.info : tracker.ofCommit
    const stamp = adapter ? await adapter.stamp() : null
    const known = { info, found: adapter?.info.text ?? null, stamp, taken: null }
    this.#known.set(row.id, known)
    if (text === null)
      return [`no beads yet: ${ISSUES_FILE} is not in the repository; create one with bd or on the dashboard`]
    const warnings: string[] = []
    const left = await this.#take(row, { pieces: () => piecesOf(text) }, warnings)
    this.#known.set(row.id, { ...known, info: withLeft(info, left) })
    return warnings
  }

  /** Returns the beads left out as not being work, in words; '' for none. */
  async #take(row: ProjectRow, file: TrackerFile, warnings: string[]): Promise<string> {
    const { store, tracker, clock } = this.#deps
    const project = row.id
    const plain = storeOf(store, project)
    const outlook = this.#outlooks.get(project)?.outlook ?? new Outlook(store, project, plain)
    const seen = outlook.begin(settingsOf(row)?.ignore ?? usuallyIgnored)
    const memory = this.#read.get(project) ?? null
    const read = await tracker.read({ project, file, memory, store: seen })
    if (read.memory !== memory) outlook.settled() // else nothing of the file counted
    warnings.push(...read.warnings, ...outlook.warnings)
    if (!this.#known.has(project)) return outlook.left
    if (read.memory !== null) this.#read.set(project, read.memory)
    this.#outlooks.set(project, { outlook, at: clock.monotonic() })
    return outlook.left
  }
}

const withLeft = (info: TrackerInfo, left: string): TrackerInfo =>
  left === '' ? info : { ...info, text: `${info.text}; ${left}` }
