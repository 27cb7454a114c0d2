import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import { trackerComment } from '@beadloom/core/bead/tracker-comment.ts'
import type { Fetched, Hub } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import {
  ISSUES_FILE,
  MAX_ISSUES_BYTES,
  TrackerError,
  type BeadsAdapter,
  type ChangeOutcome,
  type Tracker,
  type TrackerChange,
  type TrackerInfo,
} from '../../ports/tracker.ts'
import type { QueuedChange } from '../../ports/store/tracker-queue.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import { sourceKind } from '../projects/project-source.ts'
import { hasWorkingTree, trackerOf } from './tracker-place.ts'

export type TrackerSyncDeps = {
  store: Store
  hub: Hub
  tracker: Tracker
  clock: Clock
  log: Logger
  /** Where people see a bead, once the server listens. */
  link: (project: ProjectId, bead: string) => string | null
}

/** Changes that are written at once; more of them come in the next round. */
const BATCH = 200
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** A commit for each change would be noise on the branch; this long, more may come with it. */
const COMMIT_PAUSE_MS = 30_000

/** `found`: the sentence of what was found, also where the base branch is read in its stead. */
type Known = { info: TrackerInfo; found: string | null; stamp: string | null }

/** `theirs`: somebody has it, or has said something else about it. `later`: it cannot be asked now. */
export type Claim = { claim: 'ours' } | { claim: 'theirs' | 'later'; text: string }

/** Brings the beads here and those in a project's tracker together. One call at a time for each project. */
export class TrackerSync {
  readonly #deps: TrackerSyncDeps
  readonly #known = new Map<ProjectId, Known>()
  /** Since when something waits that is worth a commit. */
  readonly #waiting = new Map<ProjectId, number>()

  constructor(deps: TrackerSyncDeps) {
    this.#deps = deps
  }

  /** What was found at the last look; null before the first. */
  info(project: ProjectId): TrackerInfo | null {
    return this.#known.get(project)?.info ?? null
  }

  forget(project: ProjectId): void {
    this.#known.delete(project)
    this.#waiting.delete(project)
  }

  /** Whether there is something to do without being asked: the tracker has changed, or what waited is due. */
  async isDue(row: ProjectRow): Promise<boolean> {
    const { id } = row
    const known = this.#known.get(id)
    if (!(await hasWorkingTree(row.source))) return known?.info.writable === true && this.#isCommitDue(id)
    const adapter = await this.#find(row)
    if (!adapter) return false
    if (!known || (await adapter.stamp()) !== known.stamp || adapter.info.text !== known.found) return true
    const { dueAt } = this.#deps.store.trackerState(id)
    return adapter.info.writable && dueAt !== null && dueAt <= this.#deps.clock.now()
  }

  /** By what name people know the tracker in which claims of theirs count, or null: it has none that could be asked. */
  claimsIn({ id, source }: ProjectRow): string | null {
    const kind = sourceKind(source) === 'path' ? this.#known.get(id)?.info.kind : undefined
    return kind === 'bd' ? 'bd' : kind === 'jsonl' ? 'the tracker' : null
  }

  /**
   * Claims a bead in its tracker for an execution that is to start. Another one's claim is remembered. Throws
   * `TrackerError` where the tracker cannot be asked.
   */
  async claim(row: ProjectRow, id: BeadId): Promise<Claim> {
    const { store } = this.#deps
    const bead = store.bead(row.id, id)
    if (!bead || this.claimsIn(row) === null || store.isUnfiled(row.id, id)) return { claim: 'ours' }
    const adapter = await this.#find(row)
    if (!adapter?.info.writable) return { claim: 'ours' }
    const [outcome] = await adapter.write([
      {
        kind: 'status',
        status: 'in_progress',
        seq: 0,
        rev: 0,
        project: row.id,
        bead: id,
        seen: bead.trackerStatus,
        assignee: bead.assignee ?? null,
        given: null,
        reason: '',
      },
    ])
    if (outcome?.result === 'written') {
      store.trackerClaimed(row.id, id, 'in_progress')
      return { claim: 'ours' }
    }
    if (outcome?.result !== 'overruled')
      return { claim: 'later', text: outcome && 'text' in outcome ? outcome.text : '' }
    if (outcome.by !== undefined) store.trackerTaken(row.id, id, outcome.by)
    return { claim: 'theirs', text: outcome.text }
  }

  /** The start of an execution alone is no reason for a commit: its end is one soon enough. */
  #isCommitDue(project: ProjectId): boolean {
    const { store, clock } = this.#deps
    const now = clock.now()
    const worth = store.trackerQueue(project, now, -1, BATCH).some((change) => !isStart(change))
    const since = this.#waiting.get(project) ?? now
    if (worth) this.#waiting.set(project, since)
    else this.#waiting.delete(project)
    return worth && now - since >= COMMIT_PAUSE_MS
  }

  #find(row: ProjectRow, fetched = false): Promise<BeadsAdapter | null> {
    return trackerOf(this.#deps.tracker, this.#deps.hub, row, fetched)
  }

  /**
   * Takes over what the tracker has, then writes what it does not have. `due`: what waits for a later time than this
   * waits on. Returns warnings for the project.
   */
  async sync(row: ProjectRow, fetched: Fetched | null, due = Number.MAX_SAFE_INTEGER): Promise<string[]> {
    const adapter = await this.#find(row, fetched !== null)
    if (adapter === null || adapter.info.kind === 'none') return this.#fromCommit(row, fetched, adapter)
    const warnings: string[] = []
    try {
      await this.#read(row, adapter, warnings)
      if (!adapter.info.writable) return warnings
      if (await this.#write(row.id, adapter, due)) {
        warnings.length = 0
        await this.#read(row, adapter, warnings)
      }
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error
      // What was read before stays, and what waits to be written waits on.
      warnings.push(`${error.message} (going on with what was read before)`)
    }
    const { problem, waiting } = this.#deps.store.trackerState(row.id)
    if (problem !== '') warnings.push(`${waiting} change(s) wait to be written to the tracker: ${problem}`)
    return warnings
  }

  async #read(row: ProjectRow, adapter: BeadsAdapter, warnings: string[]): Promise<void> {
    const stamp = await adapter.stamp()
    // Before the reading: a tracker that cannot be read is looked at again when it has changed.
    this.#known.set(row.id, { info: adapter.info, found: adapter.info.text, stamp })
    const text = await adapter.read()
    if (text === null) return
    this.#take(row.id, text, warnings)
  }

  async #fromCommit(row: ProjectRow, fetched: Fetched | null, adapter: BeadsAdapter | null): Promise<string[]> {
    const { hub, tracker } = this.#deps
    const text = fetched && (await hub.readFile(row.id, fetched.commit, ISSUES_FILE, MAX_ISSUES_BYTES))
    const info = text === null && adapter ? adapter.info : tracker.ofCommit
    this.#known.set(row.id, {
      info,
      found: adapter?.info.text ?? null,
      stamp: adapter ? await adapter.stamp() : null,
    })
    if (text === null)
      return [`no beads yet: ${ISSUES_FILE} is not in the repository; file one with bd, or on the dashboard`]
    const warnings: string[] = []
    this.#take(row.id, text, warnings)
    return warnings
  }

  #take(project: ProjectId, text: string, warnings: string[]): void {
    const { store, tracker } = this.#deps
    const tracked = tracker.parse(project, text)
    warnings.push(...tracked.warnings)
    // A file that gives nothing at all is broken rather than empty; what is here stays until it is mended.
    if (tracked.beads.length === 0 && tracked.warnings.length > 0) return
    store.replaceBeads(project, tracked.beads)
  }

  /** True when something was written, and the tracker is to be read again. */
  async #write(project: ProjectId, adapter: BeadsAdapter, due: number): Promise<boolean> {
    const { store } = this.#deps
    let wrote = false
    if (adapter.info.kind === 'branch') return this.#commit(project, adapter, due)
    for (let after = -1; ;) {
      const queue = store.trackerQueue(project, due, after, BATCH)
      if (queue.length === 0) return wrote
      // Comments tell how their executions ended, also what the tracker has just said about closing their beads.
      for (const part of [queue.filter(isNoComment), queue.filter((change) => !isNoComment(change))])
        if (await this.#writePart(adapter, part)) wrote = true
      after = queue.at(-1)?.seq ?? after
    }
  }

  /** Everything that waits is one commit. */
  async #commit(project: ProjectId, adapter: BeadsAdapter, due: number): Promise<boolean> {
    const queue = this.#deps.store.trackerQueue(project, due, -1, Number.MAX_SAFE_INTEGER)
    this.#waiting.delete(project)
    return queue.every(isStart) ? false : this.#writePart(adapter, queue)
  }

  async #writePart(adapter: BeadsAdapter, changes: readonly QueuedChange[]): Promise<boolean> {
    if (changes.length === 0) return false
    const outcomes = await adapter.write(changes.map((change) => this.#changeOf(change)))
    let wrote = false
    for (const [at, change] of changes.entries()) {
      const outcome = outcomes[at] ?? { result: 'later', text: 'the tracker did not answer' }
      if (outcome.result === 'written') wrote = true
      this.#settle(change, outcome)
    }
    return wrote
  }

  #settle(change: QueuedChange, outcome: ChangeOutcome): void {
    const { store, clock } = this.#deps
    if (outcome.result === 'written')
      return store.trackerHas(change, change.kind === 'status' ? (outcome.word ?? null) : null)
    if (outcome.result === 'later') {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(change.tries, 10), LONGEST_PAUSE_MS)
      return store.trackerLater(change, clock.now() + pause, outcome.text)
    }
    if (outcome.result === 'outdated') {
      store.trackerHas(change, null) // it is not to be closed any more, which is a change of its own
      return store.trackerOutdated(change.project, change.bead, outcome.changed)
    }
    this.#deps.log.info({ project: change.project, bead: change.bead, kind: change.kind }, outcome.text)
    store.trackerDropped(change, `not written to the tracker: ${outcome.text}`)
  }

  #changeOf(queued: QueuedChange): TrackerChange {
    const { seq, rev, project, bead, content } = queued
    const base = { seq, rev, project, bead }
    switch (queued.kind) {
      case 'create':
        return { ...base, kind: 'create', content }
      case 'status':
        return {
          ...base,
          kind: 'status',
          status: content.status,
          seen: content.trackerStatus,
          assignee: content.assignee ?? null,
          given: queued.given,
          reason: queued.newest === null ? 'closed in Beadloom' : `done in Beadloom (${queued.newest})`,
        }
      case 'describe':
        return {
          ...base,
          kind: 'describe',
          description: content.description,
          was: descriptionIn(queued.raw),
          labels: content.labels,
        }
      case 'comment':
        return { ...base, kind: 'comment', ...this.#commentOf(queued) }
    }
  }

  #commentOf({ project, bead, execution: id }: QueuedChange) {
    const { store, link } = this.#deps
    const execution = id && store.execution(id)
    if (!execution) throw new Error(`a comment on ${bead} is about no execution`)
    const text = trackerComment({
      execution,
      verifications: store.verifications(execution.id),
      link: link(project, bead),
    })
    return { execution: execution.id, text, at: execution.endedAt ?? 0 }
  }
}

const isStart = ({ kind, content }: QueuedChange): boolean => kind === 'status' && content.status === 'in_progress'

const isNoComment = ({ kind }: QueuedChange): boolean => kind !== 'comment'

function descriptionIn(raw: string | null): string | null {
  if (raw === null) return null
  try {
    const value: unknown = JSON.parse(raw)
    const text = typeof value === 'object' && value !== null ? (value as { description?: unknown }).description : ''
    return typeof text === 'string' ? text : ''
  } catch {
    return null
  }
}
