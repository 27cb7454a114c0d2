import { descriptionIn } from '@beadloom/core/bead/description-in.ts'
import { trackerComment } from '@beadloom/core/bead/tracker-comment.ts'
import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Aside } from '../../ports/aside.ts'
import type { Hub } from '../../ports/hub.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { QueuedChange } from '../../ports/store/tracker-queue.ts'
import type { BeadsAdapter, ChangeOutcome, TrackerChange } from '../../ports/tracker.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'

export type TrackerWriterDeps = {
  store: PatientStore
  clock: Clock
  log: Logger
  hub: Pick<Hub, 'path'>
  aside: Pick<Aside, 'masked'>
  /** A bead's address for people, once the server listens. */
  link: (project: ProjectId, bead: string) => string | null
}

/** The most changes that are written at once; the rest comes in the next round. */
const BATCH = 200
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** The wait for more changes: a commit for each change would be noise on the branch. */
const COMMIT_PAUSE_MS = 30_000

/** Writes the changes in the store's queue to trackers, and records the results. */
export class TrackerWriter {
  readonly #deps: TrackerWriterDeps
  /** Since when changes wait that are worth a commit, by the clock that does not jump. */
  readonly #waiting = new Map<ProjectId, number>()

  constructor(deps: TrackerWriterDeps) {
    this.#deps = deps
  }

  forget(project: ProjectId): void {
    this.#waiting.delete(project)
  }

  /** Whether a commit is due. The start of an execution alone is not worth one: its end soon will be. */
  isCommitDue(project: ProjectId): boolean {
    const { store, clock } = this.#deps
    const now = clock.monotonic()
    const worth = store.trackerQueue(project, clock.now(), -1, BATCH).some((change) => !isStart(change))
    const since = this.#waiting.get(project) ?? now
    if (worth) this.#waiting.set(project, since)
    else this.#waiting.delete(project)
    return worth && now - since >= COMMIT_PAUSE_MS
  }

  /** True when something was written and the tracker should be read again. */
  async write(project: ProjectId, adapter: BeadsAdapter, due: number): Promise<boolean> {
    const { store } = this.#deps
    let wrote = false
    if (adapter.info.kind === 'branch') return this.#commit(project, adapter, due)
    for (let after = -1; ;) {
      const queue = store.trackerQueue(project, due, after, BATCH)
      if (queue.length === 0) return wrote
      // Comments last: they also tell the tracker's answer about closing their beads.
      for (const part of [queue.filter(isNoComment), queue.filter((change) => !isNoComment(change))])
        if (await this.#writePart(adapter, part)) wrote = true
      after = queue.at(-1)?.seq ?? after
    }
  }

  /** Everything in the queue becomes one commit. */
  async #commit(project: ProjectId, adapter: BeadsAdapter, due: number): Promise<boolean> {
    const queue = this.#deps.store.trackerQueue(project, due, -1, Number.MAX_SAFE_INTEGER)
    this.#waiting.delete(project)
    return queue.every(isStart) ? false : this.#writePart(adapter, queue)
  }

  async #writePart(adapter: BeadsAdapter, changes: readonly QueuedChange[]): Promise<boolean> {
    if (changes.length === 0) return false
    const outcomes = await adapter.write(await this.#withoutSecrets(changes.map((change) => this.#changeOf(change))))
    let wrote = false
    for (const [at, change] of changes.entries()) {
      const outcome = outcomes[at] ?? { result: 'later', text: 'the tracker did not answer' }
      if (outcome.result === 'written') wrote = true
      await this.#record(change, outcome)
    }
    return wrote
  }

  async #record(change: QueuedChange, outcome: ChangeOutcome): Promise<void> {
    const { store, clock } = this.#deps
    if (outcome.result === 'written')
      return store.trackerHas(change, change.kind === 'status' ? (outcome.word ?? null) : null, outcome.overruled)
    if (outcome.result === 'later') {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(change.tries, 10), LONGEST_PAUSE_MS)
      return store.trackerLater(change, clock.now() + pause, outcome.text)
    }
    if (outcome.result === 'outdated') {
      // First: after a kill in between, the closing is asked for again. Else it would be done here, open there, unflagged.
      await store.trackerOutdated(change.project, change.bead, outcome.changed)
      return store.trackerHas(change, null) // if the bead has moved, that is a newer change, which stays
    }
    this.#deps.log.info({ project: change.project, bead: change.bead, kind: change.kind }, outcome.text)
    await store.trackerDropped(change, outcome.text)
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
          failed: content.failed === true,
          labelled: content.labelled === true,
          held: queued.held,
          seen: content.trackerStatus,
          assignee: content.assignee ?? null,
          given: queued.given,
          reason: whyClosed(queued),
        }
      case 'describe':
        if (queued.edits.length > 0) return { ...base, kind: 'edit', edits: editsWith(queued) }
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

  /** A comment repeats a check's output. Beads were masked when they were filed. */
  async #withoutSecrets(changes: readonly TrackerChange[]): Promise<TrackerChange[]> {
    const comments = changes.flatMap((change) => (change.kind === 'comment' ? [change.text] : []))
    const masked = await this.#deps.aside.masked(comments)
    let at = 0
    return changes.map((change) => (change.kind === 'comment' ? { ...change, text: masked[at++] ?? '' } : change))
  }

  #commentOf({ project, bead, execution: id }: QueuedChange) {
    const { store, link, hub } = this.#deps
    const execution = id && store.execution(id)
    if (!execution) throw new Error(`a comment on ${bead} is about no execution`)
    const text = trackerComment({
      execution,
      verifications: store.verifications(execution.id),
      link: link(project, bead),
      hub: hub.path(project),
    })
    return { execution: execution.id, text, at: execution.endedAt ?? 0 }
  }
}

const isStart = ({ kind, content, held }: QueuedChange): boolean =>
  kind === 'status' && content.status === 'in_progress' && held

function whyClosed({ newest, closedWith }: QueuedChange): string {
  if (closedWith !== null) return `closed with ${closedWith.bead} (${closedWith.execution})`
  return newest === null ? 'closed in Beadloom' : `done in Beadloom (${newest})`
}

/**
 * Adds an entry that a follow-up got meanwhile to the edit of its description; if a person has changed the description,
 * their text already has it.
 */
function editsWith({ edits, raw, content }: QueuedChange): readonly BeadEdit[] {
  const was = descriptionIn(raw)
  const known = edits.some(({ field }) => field === 'description')
  if (known) return edits.map((edit) => (edit.field === 'description' ? { ...edit, value: content.description } : edit))
  if (was === null || was === content.description) return edits
  return [...edits, { field: 'description', was: [was], value: content.description }]
}

const isNoComment = ({ kind }: QueuedChange): boolean => kind !== 'comment'
