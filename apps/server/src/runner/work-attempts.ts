import { commitMessage } from '@beadloom/core/bead/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { COMMAND_NOT_FOUND, failedAttempts, failuresOf, type NextStep } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import type { WorkTip } from '../ports/hub.ts'
import { blockedBy, endOfExit, endOfSession, failed } from './failed.ts'
import { digestOfFailures, nextStepOf } from './history.ts'
import { ownRow } from './own-row.ts'
import type { Preparation, Ready } from './preparation.ts'
import { integrateAndPublish } from './publish.ts'
import type { RunContext } from './run-context.ts'
import type { SessionFacts } from './run-session.ts'
import { throwIfStopped } from './stop.ts'
import { verify } from './verify.ts'
import { adoptedSession, workSession } from './work-session.ts'

/**
 * Up to `maxAttempts` fresh sessions on the kept workspace, each followed by the project's own checks in a clean
 * container, until one is verified and published. What comes next is read from the store each time, so that a failed
 * run and a restart go on where this one stopped.
 */
export async function workUntilPublished(run: RunContext, preparation: Preparation): Promise<ExecutionEnd> {
  for (;;) {
    const step = nextStepOf(run)
    if (step.do !== 'adopt') throwIfStopped(run.stopper) // what runs is stopped by whoever has taken it up
    const end = await take(run, step, preparation)
    if (end) return end
  }
}

async function take(run: RunContext, step: NextStep, preparation: Preparation): Promise<ExecutionEnd | null> {
  switch (step.do) {
    case 'work':
      return work(run, step, preparation)
    case 'adopt':
      return afterSession(run, await adoptedSession(run, step))
    case 'verify':
      return check(run, step.attempt, await preparation.ready())
    case 'publish':
      return publish(run, step, preparation)
    case 'settle':
      return endOfSession(run.settings, run.execution, run.deps.store.session(step.session)!)
    case 'end':
      return endOfAttempts(run, step.because)
  }
}

async function work(
  run: RunContext,
  { attempt, again }: Extract<NextStep, { do: 'work' }>,
  preparation: Preparation,
): Promise<ExecutionEnd | null> {
  const { store, log } = run.deps
  const { id } = run.execution
  const verifications = store.verifications(id)
  if (attempt > 1 && !again) {
    if (await standsStill(run, verifications, attempt - 1)) return endOfStandstill(run, attempt - 1)
    const reason = failuresOf(verifications, attempt - 1)[0]?.type ?? 'unknown'
    if (run.execution.attempt < attempt) {
      store.addRetry(id, 'verification', reason)
      log.info({ execution: id, attempt, reason }, 'Starting retry attempt')
    }
  }
  await preparation.container() // before the attempt counts: what cannot start has not been tried
  store.noteExecution(id, { attempt }) // before it starts, so that a crash cannot give it away again
  run.execution = { ...run.execution, attempt }
  const digest = attempt > 1 ? digestOfFailures(verifications.filter((row) => row.attempt < attempt)) : null
  return afterSession(run, await workSession(run, attempt, digest))
}

function afterSession(run: RunContext, facts: SessionFacts): ExecutionEnd | null {
  throwIfStopped(run.stopper)
  run.unsaved = facts.recorded.result === null
  if (facts.blocked !== null) return blockedBy(facts.blocked)
  if (facts.outcome === 'infra_error') return endOfExit(facts.exit, run.settings.limits.memoryBytes)
  if (facts.outcome === 'success') return null
  run.deps.log.error({ execution: run.execution.id, outcome: facts.outcome }, 'Session failed, not retrying')
  return endOfSession(run.settings, run.execution, facts)
}

async function check(run: RunContext, attempt: number, { image, tip: workTip }: Ready): Promise<ExecutionEnd | null> {
  const { store, hub } = run.deps
  const { execution, project, bead } = run
  const tip = await hub.tip(project.id, `refs/heads/${execution.branch}`)
  if (tip && (await hasWork(run, tip, workTip))) {
    await verify(run, image, tip, { attempt, purpose: 'attempt' })
    return null
  }
  const session = store.sessions(execution.id).findLast(({ kind }) => kind === 'work')
  if (!session) throw new Error(`attempt ${attempt} of ${execution.id} has no session`)
  const digest = `No commit arrived on the branch ${execution.branch}: the session ended without changes. Make the change, commit it with the message "${commitMessage(bead.id, bead.title)}" and push.`
  const common = { attempt, purpose: 'attempt' as const, run: 1, session: session.id, commit: tip ?? '' }
  const row = ownRow(run, { ...common, step: 1, name: NOTHING_DONE, summary: 'nothing was committed', digest })
  store.addVerifications(execution.id, [row])
  store.addEvent(execution.id, session.id, 'verification', { step: row.name, passed: false, attempt, run: 1, digest })
  return null
}

/** The name of the check that something was committed at all. */
const NOTHING_DONE = 'commit'

/**
 * Whether the branch has work of this bead: anything that is not in the work branch, not only what this session did,
 * because an earlier execution may have left good work; or work of its own that was merged and never published.
 */
async function hasWork(run: RunContext, tip: string, workTip: WorkTip): Promise<boolean> {
  const { hub } = run.deps
  const { project, bead } = run
  if ((await hub.commits(project.id, workTip.commit, tip, 1)).length > 0) return true
  const own = commitMessage(bead.id, bead.title)
  return (await hub.commits(project.id, workTip.published, tip)).some(({ subject }) => subject === own)
}

async function publish(
  run: RunContext,
  { attempt, commit }: Extract<NextStep, { do: 'publish' }>,
  preparation: Preparation,
): Promise<ExecutionEnd | null> {
  run.deps.store.noteExecution(run.execution.id, { commit })
  run.execution = { ...run.execution, commit }
  // Nothing is prepared before there is something to verify: after a restart only a push may be left to do.
  const verifyMerge = async (candidate: string) => {
    const { image } = await preparation.ready()
    return verify(run, image, candidate, { attempt, purpose: 'merge' })
  }
  const result = await run.watchdog.whileOursToWait(() => integrateAndPublish(run, commit, verifyMerge))
  if ('end' in result) return result.end
  const { branch } = run.execution
  run.notice = `Your work was brought together with other work of ${run.settings.workBranch} on the branch ${branch}, and together they fail. Before anything else run 'git merge origin/${branch}'.`
  return null
}

/** The same failures as in the attempt before, and nothing was changed in between: more attempts would only cost. */
async function standsStill(run: RunContext, rows: readonly Verification[], attempt: number): Promise<boolean> {
  const former = failedAttempts(rows).find((one) => one < attempt)
  if (former === undefined) return false
  const [before, after] = [failuresOf(rows, former), failuresOf(rows, attempt)]
  const marks = (failures: readonly Verification[]) =>
    failures.map((row) => `${row.name}:${row.fingerprint}`).join('\n')
  const [from, to] = [before[0]?.commit ?? '', after[0]?.commit ?? '']
  if (marks(before) !== marks(after)) return false
  return from === to || (await run.deps.hub.diff(run.project.id, from, to)).length === 0
}

function endOfStandstill(run: RunContext, attempt: number): ExecutionEnd {
  const digest = digestOfFailures(run.deps.store.verifications(run.execution.id))
  const text = `attempt ${attempt} failed as the one before and changed nothing`
  run.deps.store.flagExecution(run.execution.id, { kind: 'no_progress', text })
  return failed({ kind: 'no_progress', attempts: attempt }, ` ${kept(run)}\n${digest}`)
}

const kept = ({ execution }: RunContext): string => `The work is on the branch ${execution.branch}.`

function endOfAttempts(run: RunContext, because: Extract<NextStep, { do: 'end' }>['because']): ExecutionEnd {
  const { store } = run.deps
  const { execution } = run
  const rows = store.verifications(execution.id)
  const digest = digestOfFailures(rows)
  if (because === 'sessions_used')
    return failed({ kind: 'too_many_sessions', sessions: execution.maxSessions }, ` ${kept(run)}\n${digest}`)
  const failures = failuresOf(rows, execution.attempt)
  if (because === 'command_missing') {
    const command = failures.find(({ exitCode }) => exitCode === COMMAND_NOT_FOUND)?.command ?? ''
    return failed({ kind: 'command_not_found', command }, `\n${digest}`)
  }
  if (failures.some(({ name }) => name === NOTHING_DONE)) return failed({ kind: 'nothing_done' }, ` ${digest}`)
  const command = failures.map((row) => row.command || row.name).join(', ')
  return failed({ kind: 'verification', command, attempts: execution.attempt }, ` ${kept(run)}\n${digest}`)
}
