import type { ExecutionView } from '../api/executions/execution-api.ts'
import { cameTo, checkOfSession } from '../execution/check-session.ts'
import { isTerminal } from '../records/execution.ts'
import { isConflict } from '../execution/next-step.ts'
import type { SessionId } from '../records/ids.ts'
import type { Session, SessionOutcome } from '../records/session.ts'
import { waitsForPerson, type WaitKind } from '../records/wait.ts'

/*
 * An execution as a pipeline: agent, checks, merge, published, with a row an attempt. Past stages come from its
 * sessions; future stages are shown only if they are certain.
 */

/** `again`: the re-check of a commit whose checks failed. `red`: the new tests, without the change. */
export type StageName =
  | 'setup'
  | 'service'
  | 'agent'
  | 'checks'
  | 'again'
  | 'red'
  | 'original'
  | 'merge'
  | 'published'
  | 'save'
export type StageState = 'todo' | 'waiting' | 'running' | 'done' | 'failed' | 'blocked' | 'timeout' | 'cancelled'
/** `session` null: it has none (a push), or none yet. */
export type Stage = { name: StageName; state: StageState; session: SessionId | null }
export type PipelineRow = { attempt: number; stages: Stage[] }

export type PipelineFacts = Pick<
  ExecutionView,
  | 'kind'
  | 'state'
  | 'reason'
  | 'commit'
  | 'baseCommit'
  | 'attempt'
  | 'maxAttempts'
  | 'checksFirst'
  | 'waits'
  | 'planVersion'
  | 'redGreen'
  | 'sessions'
  | 'verifications'
>

export const stageWords: Record<StageName, string> = {
  setup: 'setup',
  service: 'service',
  agent: 'agent',
  checks: 'checks',
  again: 're-check',
  red: 'new tests',
  original: 'tests as they were',
  merge: 'merge',
  published: 'publish',
  save: 'save',
}

/** Oldest attempt first; empty if nothing has happened and nothing is known to come. */
export function pipelineOf(facts: PipelineFacts): PipelineRow[] {
  const rows = new Map<number, PipelineRow>()
  const rowOf = (attempt: number): PipelineRow => {
    const row = rows.get(attempt) ?? { attempt, stages: [] }
    rows.set(attempt, row)
    return row
  }
  for (const session of facts.sessions) rowOf(Math.max(1, session.attempt)).stages.push(stageOf(session, facts))
  if (facts.state === 'QUEUED' || facts.state === 'RUNNING') rowOf(Math.max(1, facts.attempt, ...rows.keys()))
  for (const { attempt } of facts.verifications.filter(isConflict)) rowOf(attempt).stages.push(stage('merge', 'failed'))
  const sorted = [...rows.values()].toSorted((a, b) => a.attempt - b.attempt)
  const last = sorted.at(-1)
  last?.stages.push(...(isTerminal(facts.state) ? endOf(last.stages, facts) : toCome(last.stages, facts)))
  return sorted.filter(({ stages }) => stages.length > 0)
}

/** The present stage of a live execution; null while it is queued, once it has ended, and if not known. */
export function stageNow(facts: PipelineFacts): (Stage & { attempt: number }) | null {
  if (facts.state !== 'RUNNING') return null
  const row = pipelineOf(facts).at(-1)
  const stage = row?.stages.findLast(
    ({ name, state }) => name !== 'service' && (state === 'running' || state === 'waiting'),
  )
  return row && stage ? { ...stage, attempt: row.attempt } : null
}

/** "attempt 2 of 3 · checks"; the attempt only if there may be several. */
export function stageText(facts: PipelineFacts): string | null {
  const now = stageNow(facts)
  if (now === null) return null
  return facts.maxAttempts > 1 && facts.kind === 'work' && facts.planVersion === undefined
    ? `attempt ${now.attempt} of ${facts.maxAttempts} · ${stageWords[now.name]}`
    : stageWords[now.name]
}

const stateOfOutcome: Record<SessionOutcome, StageState> = {
  success: 'done',
  failed: 'failed',
  infra_error: 'failed',
  timeout: 'timeout',
  turn_limit: 'timeout',
  blocked: 'blocked',
  cancelled: 'cancelled',
}

/** The stage that waits with it. */
const held: Record<WaitKind, readonly ('agent' | 'next' | 'published')[]> = {
  retry: ['next'],
  push: ['published'],
  phase: ['next'],
  // Its agent's next call, or without one its next step.
  pause: ['agent', 'next'],
  budget: ['agent'],
}
const holds = ({ waits }: Pick<PipelineFacts, 'waits'>, stage: (typeof held)[WaitKind][number]): boolean =>
  waits !== null && held[waits.kind].includes(stage)

function stageOf(session: Session, facts: PipelineFacts): Stage {
  const outcome = cameTo(session, facts)
  const isHeld =
    session.kind === 'work' && holds(facts, 'agent') && (waitsForPerson(facts.waits) || facts.waits?.kind === 'pause')
  const live: StageState = isHeld ? 'waiting' : 'running'
  return {
    name: nameOf(session, facts),
    state: outcome ? stateOfOutcome[outcome] : session.state === 'ended' ? 'done' : live,
    session: session.id,
  }
}

function nameOf(session: Session, facts: PipelineFacts): StageName {
  const check = checkOfSession(session, facts)
  if (check?.purpose === 'start') return 'red'
  if (check?.purpose === 'merge') return 'merge'
  if (check?.purpose === 'original') return 'original'
  if (check) return check.repeated ? 'again' : 'checks'
  return session.kind === 'work' || session.kind === 'verify' ? 'agent' : session.kind
}

/** Stages that only the end shows: a merge that needed no checks of its own, the push, a conflict. */
function endOf(stages: Stage[], facts: PipelineFacts): Stage[] {
  const { kind, state, reason, commit, baseCommit } = facts
  if (kind !== 'work') return []
  if (state === 'FAILED' && reason === 'push_conflict')
    return stages.some(({ name }) => name === 'merge') ? [] : [stage('merge', 'failed')]
  if (state !== 'COMPLETED' || commit === null || commit === baseCommit) return []
  return [...merged(stages), stage('published', holds(facts, 'published') ? 'waiting' : 'done')]
}

const main: readonly StageName[] = ['agent', 'checks', 'merge', 'published']

function toCome(stages: Stage[], facts: PipelineFacts): Stage[] {
  if (holds(facts, 'published')) return [...merged(stages), stage('published', 'waiting')]
  const isHeld = stages.some(({ state }) => state === 'waiting')
  const waits = holds(facts, 'next') && !isHeld
  const isPlanned = facts.planVersion !== undefined
  // Nobody knows ahead how a plan continues, or whether a review needs checks.
  if (facts.kind !== 'work' || isPlanned) {
    if (waits) return [stage('agent', 'waiting')]
    return stages.length > 0 ? [] : [stage('agent', facts.state === 'QUEUED' ? 'todo' : 'running')]
  }
  const last = stages.findLast(({ name }) => main.includes(name) || name === 'again')
  const live = last?.state === 'running' || last?.state === 'waiting'
  const next = live ? after(last.name) : nextOf(last, facts)
  const now: StageState = facts.state === 'QUEUED' ? 'todo' : waits ? 'waiting' : 'running'
  const [first, ...others] = next
  if (first === undefined) return []
  return [stage(first, live ? 'todo' : now), ...others.map((name) => stage(name, 'todo'))]
}

/** A re-check has the place of the checks. */
const after = (name: StageName): readonly StageName[] =>
  main.slice(main.indexOf(name === 'again' ? 'checks' : name) + 1)

function nextOf(last: Stage | undefined, { checksFirst, verifications }: PipelineFacts): readonly StageName[] {
  if (last === undefined) return checksFirst === true ? main.slice(1) : main
  if (last.state === 'done') return after(last.name)
  if (last.name === 'merge' && last.session === null) return main // its agent is asked to join the two
  const judged = verifications.some(({ session, passed }) => session === last.session && !passed)
  // Failed checks are repeated once on the same commit; checks without a result (the container broke) begin again.
  if (last.name === 'checks' && judged) return ['again', 'merge', 'published']
  return last.name === 'again' && judged ? main : [last.name, ...after(last.name)]
}

const merged = (stages: Stage[]): Stage[] =>
  stages.some(({ name }) => name === 'merge') ? [] : [stage('merge', 'done')]
const stage = (name: StageName, state: StageState): Stage => ({ name, state, session: null })
