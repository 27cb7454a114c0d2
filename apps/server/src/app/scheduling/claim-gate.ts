import { movesBead } from '@beadloom/core/records/execution.ts'
import type { BeadId, ExecutionId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { TrackerError } from '../../ports/tracker.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import type { Projects } from '../projects/projects.ts'
import type { Claim } from '../tracker/tracker-claim.ts'

export type ClaimGateDeps = {
  store: Pick<
    PatientStore,
    'execution' | 'project' | 'addEvent' | 'claimBegins' | 'claimRefused' | 'openClaims' | 'releaseClaim'
  >
  projects: Pick<Projects, 'claim' | 'claimsIn'>
  clock: Clock
  log: Logger
  /** Called when the tracker has answered. */
  answered: () => void
}

/** A tracker that does not answer delays a start no longer than this: the claim is made later, like every change. */
const GIVE_UP_AFTER_MS = 30_000
/** The last try gets at least this long. */
const SHORTEST_TRY_MS = 2_000
const FIRST_PAUSE_MS = 1_000

/** By then a tracker's command that a killed server left has ended (`beads/bd/run-bd.ts`). */
const LEFT_BEHIND_MS = 70_000

/** `nextAt` is when the tracker may be asked again; times are of the monotonic clock. */
type Asked = { since: number; tries: number; state: 'asking' | 'ours' | 'unanswered' | 'refused'; nextAt: number }

/**
 * Before an execution starts, its bead is claimed in the tracker, if that has claims. A bead that somebody else has
 * does not start; after that the scheduler decides by the bead, which remembers the claim.
 */
export class ClaimGate {
  readonly #deps: ClaimGateDeps
  readonly #asked = new Map<ExecutionId, Asked>()
  /** Unanswered questions to the tracker, including late ones: until then it is not known whether there is a claim. */
  readonly #open = new Map<ExecutionId, number>()
  /** Executions for which this server itself has asked. */
  readonly #ours = new Set<ExecutionId>()

  constructor(deps: ClaimGateDeps) {
    this.#deps = deps
  }

  /** False: the tracker is being asked, or has said no. */
  mayStart(id: ExecutionId): boolean {
    const { store, projects, clock } = this.#deps
    const execution = store.execution(id)
    const row = execution && store.project(execution.project)
    if (!execution || !row || !movesBead[execution.kind] || projects.claimsIn(row) === null) return true
    const now = clock.monotonic()
    const asked = this.#asked.get(id) ?? { since: now, tries: 0, state: 'unanswered', nextAt: now }
    if (asked.state === 'ours') {
      this.#asked.delete(id)
      return true
    }
    this.#asked.set(id, asked)
    if (asked.state !== 'asking' && asked.nextAt <= now) void this.#ask(id, row, asked)
    return false
  }

  /** Executions that start once their tracker has answered. */
  waiting(): ReadonlySet<ExecutionId> {
    return new Set([...this.#asked].flatMap(([id, { state }]) => (state === 'ours' ? [] : [id])))
  }

  /** After a round: gives back the claims of executions that it did not start, whichever server made them. */
  async release(): Promise<void> {
    const { store, clock, log } = this.#deps
    for (const [id, { state }] of this.#asked) {
      if (state === 'asking' || (state !== 'ours' && store.execution(id)?.state === 'QUEUED')) continue
      this.#asked.delete(id)
    }
    try {
      const claims = store.openClaims()
      const noted = new Set(claims.map(({ execution }) => execution))
      for (const id of this.#ours) if (!noted.has(id) && !this.#open.has(id)) this.#ours.delete(id)
      for (const { execution: id, at } of claims) {
        if (this.#open.has(id) || this.#asked.has(id)) continue
        // The wall clock may have been set back: a time in the future is not recent.
        const age = clock.now() - at
        if (!this.#ours.has(id) && age >= 0 && age < LEFT_BEHIND_MS) continue
        await this.#giveBack(id)
      }
    } catch (error) {
      log.warn({ error }, 'claims in a tracker could not be given back now') // the next round tries again
    }
  }

  /** The tracker may be asked again before it is written: then there is a claim of ours again. */
  async #giveBack(id: ExecutionId): Promise<void> {
    const ours = this.#ours.delete(id)
    try {
      await this.#deps.store.releaseClaim(id)
    } catch (error) {
      if (ours) this.#ours.add(id)
      throw error
    }
  }

  /** Never rejects. */
  async #ask(id: ExecutionId, row: ProjectRow, asked: Asked): Promise<void> {
    const { store, clock, answered } = this.#deps
    const bead = store.execution(id)?.bead
    if (bead === undefined) return
    asked.state = 'asking'
    asked.tries += 1
    const claim = this.#claim(id, row, bead)
    const done = new AbortController()
    const left = Math.max(SHORTEST_TRY_MS, asked.since + GIVE_UP_AFTER_MS - clock.monotonic())
    const late: Claim = { claim: 'later', text: 'the tracker did not answer' }
    const answer = await Promise.race([claim, clock.sleep(left, done.signal).then(() => late)])
    done.abort()
    if (answer === late) void claim.then(answered) // so that its claim is given back
    const now = clock.monotonic()
    const wait = FIRST_PAUSE_MS * 2 ** Math.min(asked.tries - 1, 4)
    let pause = 0
    if (answer.claim === 'ours') asked.state = 'ours'
    else if (answer.claim === 'theirs') {
      // The bead says so from now on; once that changes, the time limit begins anew.
      pause = FIRST_PAUSE_MS
      Object.assign(asked, { state: 'refused', since: now + pause, tries: 0, nextAt: now + pause })
    } else if (now - asked.since >= GIVE_UP_AFTER_MS) await this.#goOn(id, asked, answer.text)
    else {
      pause = wait
      Object.assign(asked, { state: 'unanswered', nextAt: now + pause })
    }
    answered()
    if (pause === 0) return
    await clock.sleep(pause)
    answered()
  }

  async #goOn(id: ExecutionId, asked: Asked, why: string): Promise<void> {
    const { store, log } = this.#deps
    asked.state = 'ours'
    const text = `starting without a claim in the tracker, which is made later: ${why}`
    try {
      await store.addEvent(id, null, 'warning', { text })
    } catch (error) {
      log.warn({ error, execution: id }, text)
    }
  }

  /** The note comes first, so that a claim whose answer is lost is given back too. */
  async #claim(id: ExecutionId, row: ProjectRow, bead: BeadId): Promise<Claim> {
    const { store, projects } = this.#deps
    this.#ours.add(id)
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1)
    try {
      await store.claimBegins(id)
      const answer = await projects.claim(row, bead)
      if (answer.claim === 'theirs') await store.claimRefused(id)
      return answer
    } catch (error) {
      if (!(error instanceof TrackerError))
        this.#deps.log.error({ error, project: row.id, bead }, 'a claim in the tracker failed')
      return { claim: 'later', text: messageOf(error) }
    } finally {
      const left = (this.#open.get(id) ?? 1) - 1
      if (left > 0) this.#open.set(id, left)
      else this.#open.delete(id)
    }
  }
}
