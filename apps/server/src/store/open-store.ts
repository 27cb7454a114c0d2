import type { Database } from 'better-sqlite3'
import { newInstanceId, parseInstanceId } from '@beadloom/core/records/ids.ts'
import type { BeadId, InstanceId, ProjectId } from '@beadloom/core/records/ids.ts'
import { StoreError } from '../ports/store/errors.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { Store } from '../ports/store.ts'
import type { Clock } from '../process/clock.ts'
import { actionStore } from './actions.ts'
import { auditStore } from './audit.ts'
import { BeadCache } from './beads/bead-cache.ts'
import { beadEditStore, EditRows } from './beads/bead-edits.ts'
import { beadStore } from './beads/beads.ts'
import { changesOf } from './database/changes.ts'
import { Checkpoints } from './database/checkpoints.ts'
import { connect, stopWaiting, translate } from './database/connection.ts'
import { budgetStore } from './executions/budgets.ts'
import { courseStore } from './executions/courses.ts'
import { messageStore } from './executions/messages.ts'
import { pauseStore } from './executions/pauses.ts'
import { egressStore } from './executions/egress.ts'
import { eventStore, eventWriter } from './executions/events.ts'
import { executionStore } from './executions/executions.ts'
import { figureStore } from './figures.ts'
import { followUpStore } from './beads/follow-ups.ts'
import { InPlace } from './database/in-place.ts'
import { wayBack } from './database/lost.ts'
import { imageStore } from './images.ts'
import { migrate } from './database/migrate.ts'
import type { Migration } from './database/migrate.ts'
import { migrations } from './database/migrations.ts'
import { containerStore } from './containers.ts'
import { cooldownStore } from './cooldowns.ts'
import { pipelineStore } from './executions/pipeline.ts'
import { oddRowsIn } from './odd-rows.ts'
import { phaseStore } from './phases/phases.ts'
import { PlanDocuments } from './plans/plan-documents.ts'
import { planStore } from './plans/plans.ts'
import { projectChoices } from './projects/project-choices.ts'
import { proofStore } from './projects/proofs.ts'
import { projectStore } from './projects/projects.ts'
import { pullRequestStore } from './reviews/pull-requests.ts'
import { rememberedStore } from './remembered.ts'
import { requestKeys } from './request-keys.ts'
import { reviewStore } from './reviews/reviews.ts'
import { signInStore } from './sign-ins.ts'
import { dismissalStore } from './projects/dismissals.ts'
import { webhookStore } from './webhooks.ts'
import { savedViewStore } from './saved-views.ts'
import { sessionStore } from './executions/sessions.ts'
import { Stopwatches } from './executions/stopwatches.ts'
import { tokenStore } from './executions/token-use.ts'
import { trackerClaims } from './beads/tracker-claims.ts'
import { trackerStore } from './beads/tracker-queue.ts'
import { transitionStore, type ExecutionMoves } from './executions/transitions.ts'
import { verificationStore } from './executions/verifications.ts'
import { Patience } from './database/patience.ts'
import { patientStore } from './database/patient.ts'
import { ToDisk } from './database/to-disk.ts'
import { News, proberOf, writerOf } from './database/writer.ts'
import type { Passage, Writing } from './database/writer.ts'

export type StoreOptions = {
  clock: Clock
  /** In [0, 1); names a new instance and its data. */
  random: () => number
  /** Called when a listener throws; the write is kept. Default: a process warning. */
  report?: (error: unknown) => void
  /** Rows that `changes` keeps, default 50,000. A client that was away for longer starts with a snapshot. */
  keepChanges?: number
  migrations?: readonly Migration[]
}

/** `patient`: the same store, for every caller that can wait. */
export type OpenStore = Store & { patient: PatientStore }

/**
 * Opens the store in `file`, creating it if necessary, and keeps every other server out until `close`.
 *
 * Throws `StoreError`: `in-use`, `not-writable`, `corrupt`, `newer`, `foreign` or `lost`, `no-space`,
 * `busy` or `disk`, each with what to do.
 */
export function openStore(file: string, options: StoreOptions): OpenStore {
  const { db, close } = connect(file, options.clock)
  try {
    migrate(db, file, options.migrations ?? migrations)
    const report = options.report ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)))
    const patience = new Patience(options.clock)
    const disk = new ToDisk(`${file}-wal`, options.clock, (error) => patience.failed(translate(error, file)))
    const inPlace = new InPlace({ db, file, clock: options.clock, newLog: () => disk.newLog(), report })
    const passage = { patience, disk, inPlace, checkpoints: new Checkpoints(file, patience, inPlace, report) }
    const closeAll = () => {
      for (const part of [patience, disk, passage.checkpoints]) part.close()
      close()
      inPlace.close()
    }
    const store = { ...compose(db, file, { ...options, report }, passage), close: closeAll }
    return { ...store, patient: patientStore(store, patience, disk) }
  } catch (error) {
    close()
    throw withoutTables(error, file, options.clock.now()) ?? translate(error, file)
  }
}

/** For statements that cannot be prepared, or a migration that finds its result: the tables are not its version's. */
function withoutTables(error: unknown, file: string, now: number): StoreError | null {
  if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR')) return null
  const text = `${file} does not have the tables of its version (${error.message}): it was damaged, or another program changed it. ${wayBack(file, now)}`
  return new StoreError('corrupt', text, { cause: error })
}

type Composing = StoreOptions & Required<Pick<StoreOptions, 'report'>>

function compose(db: Database, file: string, options: Composing, passage: Passage): Omit<Store, 'close'> {
  const { clock, random, report } = options
  const { patience, disk } = passage
  const news = new News(report)
  const changes = changesOf(db, news, options.keepChanges ?? 50_000)
  const write = writerOf(db, news, file, passage)
  const itself = write(() => identify(db, random))
  stopWaiting(db)
  const probe = proberOf(db, file, passage)
  const cache = new BeadCache(db)
  const documents = new PlanDocuments(db)
  const failedBefore = db.prepare<[string, string], { execution: string }>(
    'SELECT execution FROM follow_up_entry WHERE project = ? AND target = ?',
  )
  const changed: Writing['changed'] = (kind, project, id) => {
    changes.changed(kind, project, id)
    if (kind !== 'bead') return
    cache.stale(project as ProjectId, id as BeadId)
    // An execution shows the status of its follow-up.
    for (const { execution } of failedBefore.all(project, id)) changes.changed('execution', project, execution)
  }
  const stopwatches = new Stopwatches(db, clock)
  const writing: Writing = { db, clock, stopwatches, write, changed, event: eventWriter(db, news) }
  const editRows = new EditRows(writing)
  const startAgain = (project: ProjectId) => {
    cache.forget(project)
    changes.startAgain(project)
  }
  const beads = beadStore(writing, cache, startAgain, editRows)
  const { backToTracker, ...beadEdits } = beadEditStore(writing, editRows)
  const executions = executionStore(writing)
  const verifications = verificationStore(writing)
  const { answerReminders, ...followUps } = followUpStore(writing, {
    ...beads,
    ...executions,
    ...verifications,
    endExecution: (id, end) => transitions.endExecution(id, end),
  })
  const sessions = sessionStore(writing)
  const transitions: ExecutionMoves = transitionStore(writing, { ...beads, answerReminders })
  return {
    ...itself,
    trouble: () => patience.trouble,
    writable: (ms) => patience.writable(ms, probe),
    beginChange: () => patience.beginChange(),
    onDisk: () => disk.reached(disk.now),
    ...projectStore(writing, (project) => {
      cache.forget(project)
      documents.forget(project)
    }),
    ...projectChoices(writing),
    ...proofStore(writing),
    ...beads,
    ...beadEdits,
    ...transitions,
    ...reviewStore(writing, { ...beads, ...executions, ...transitions }),
    ...planStore(writing, beads, documents),
    ...executions,
    ...pipelineStore(writing),
    ...verifications,
    ...followUps,
    ...containerStore(writing),
    ...requestKeys(writing),
    ...cooldownStore(writing),
    ...rememberedStore(writing),
    ...imageStore(writing),
    ...tokenStore(writing, executions),
    ...budgetStore(writing),
    ...messageStore(writing),
    ...pauseStore(writing),
    ...courseStore(writing),
    ...egressStore(writing),
    ...pullRequestStore(writing),
    ...trackerClaims(writing),
    ...trackerStore(writing, { ...executions, ...beads, backToTracker }, editRows),
    ...figureStore(writing),
    ...savedViewStore(writing),
    ...webhookStore(writing),
    ...actionStore(writing),
    ...auditStore(writing),
    ...signInStore(writing),
    ...dismissalStore(writing),
    oddRows: oddRowsIn(db),
    mended: () => passage.inPlace.mended,
    ...sessions,
    ...phaseStore(writing, sessions),
    ...eventStore(writing, news),
    seq: changes.seq,
    changesAfter: changes.changesAfter,
    touch: (kind, project, ids) =>
      write(() => {
        for (const id of ids) changes.changed(kind, project ?? '', id)
      }),
    onChange: (listener) => news.onChange(listener),
  }
}

/** Chosen once, when the database is made: containers carry the instance, clients the epoch. */
function identify(db: Database, random: () => number): { instance: InstanceId; epoch: string } {
  const get = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?')
  const once = (key: string) => {
    const known = get.get(key)?.value
    if (known !== undefined) return known
    const value = newInstanceId(random)
    db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run(key, value)
    return value
  }
  return { instance: parseInstanceId(once('instance')), epoch: once('epoch').replace(/^in-/, '') }
}
