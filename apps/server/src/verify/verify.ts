import { compareDigests } from '@beadloom/core/digest/compare-digests.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { failuresOf, judge } from '@beadloom/core/execution/next-step.ts'
import { verificationFlags } from '@beadloom/core/execution/verification-flags.ts'
import type { JudgeStep, Verification, VerificationPurpose, VerifyStep } from '@beadloom/core/records/verification.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { EndedEarly } from '../execution/ends.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { crashPoint } from '../process/crash-point.ts'
import { beginSession, checkoutOf, orderOf } from '../sandbox/begin-session.ts'
import { closeSandbox, openSandbox } from '../sandbox/open-sandbox.ts'
import type { SessionFacts } from '../sandbox/session-plan.ts'
import { runSession } from '../sandbox/session.ts'
import { baseOf, type BaseOf } from './base/base-of.ts'
import { ownCheck, type CommonOfRows } from './own-check.ts'
import { askJudges } from './judge.ts'
import { withoutSteps } from './no-steps.ts'
import { brokeByItself, sessionVerdict } from './session-verdict.ts'
import { outcomeOfStep } from './step-outcome.ts'
import { besideServices } from '../sandbox/services/beside-services.ts'
import { withTroubles } from './service-troubles.ts'
import { StepReader, type StepEnd } from './step-reader.ts'
import { elsewhereCheck } from './elsewhere-check.ts'
import { originalTests } from './original-tests.ts'
import { secretCheck } from './secret-check.ts'
import { tamperCheck } from './tamper-check.ts'
import { startOf } from './work-diff.ts'

export type VerifyWhat = { attempt: number; purpose: VerificationPurpose }

/**
 * The checks that work has to pass. Without steps nothing is run: `unverified` says that the project wants it so, else
 * there is nothing to verify with. `made`: the work brought the steps itself.
 */
export type Checks = {
  steps: readonly VerifyStep[]
  unverified: boolean
  made: boolean
  /** Asked for their opinion of the work since a commit, once every command has passed. */
  judges: readonly JudgeStep[]
  since: string
  /** Decides how the rows count if a failed command is not always a failure: in a phase that only writes tests. */
  counted?: (rows: readonly Verification[]) => Promise<Verification[]>
}

/** The project's own checks, without judges. */
export const commandsOf = ({ verify: steps, unverified }: ProjectSettings): Checks => ({
  steps,
  unverified,
  made: false,
  judges: [],
  since: '',
})

/** `digest`: the failures, for the next attempt. */
export type Verified = { passed: boolean; digest: string }

/**
 * The project's checks on a clean checkout of the commit in the hub, in a container of their own: uncommitted changes
 * do not count, and processes that the agent left cannot interfere. A failure is repeated once on the same commit; a
 * different outcome makes it flaky. Continues where an earlier server stopped.
 */
export async function verify(
  live: LiveExecution,
  environment: string,
  commit: string,
  what: VerifyWhat,
  checks: Checks = commandsOf(live.settings),
): Promise<Verified> {
  const { store, log } = live.deps
  const { id } = live
  for (;;) {
    const rows = store.verifications(id)
    const verdict = judge(rows, what.attempt, what.purpose, commit)
    if (verdict.is !== 'open') {
      const passed = verdict.is === 'passed'
      for (const flag of verificationFlags(rows, what, passed)) await store.flagExecution(id, flag)
      if (passed) log.info({ execution: id, ...what }, 'Verification passed')
      else log.warn({ execution: id, ...what }, 'Verification failed')
      const failures = failuresOf(rows, what.attempt)
      return { passed, digest: failures.map(({ digest }) => digest).join('\n\n') }
    }
    const rowsOfSteps = await verifyOnce(live, environment, commit, { ...what, run: verdict.run }, checks)
    throwIfStopped(live.stopper)
    const green = rowsOfSteps.every(({ passed }) => passed)
    const opinions = green ? await askJudges(live, checks.judges, checks.since, rowsOfSteps) : []
    const steps = [...rowsOfSteps, ...opinions]
    await store.addVerifications(id, steps)
    crashPoint('after-verification')
    for (const { name, passed, attempt, run: number, digest } of steps)
      await store.addEvent(id, steps[0]!.session, 'verification', {
        step: name,
        passed,
        attempt,
        run: number,
        commit,
        digest,
      })
  }
}

async function verifyOnce(
  live: LiveExecution,
  environment: string,
  commit: string,
  { attempt, purpose, run: number }: VerifyWhat & { run: number },
  checks: Checks,
): Promise<Verification[]> {
  const { settings, id: execution } = live
  const common = { attempt, purpose, run: number, commit }
  if (checks.steps.length === 0) {
    const none = await withoutSteps(live, common, checks.unverified)
    const from = await startOf(live, commit)
    return withGuards(none, [(all) => secretCheck(live, from, all), (all) => elsewhereCheck(live, from, all)])
  }
  const start = await startOf(live, commit)
  const base = await baseOf(live, start === commit ? storedOf(live).baseCommit : start, checks.steps)
  const session = await beginSession(live, 'verify', attempt)
  const serial = `verify-${attempt}${purpose === 'merge' ? '-merge' : ''}${number > 1 ? `-${number}` : ''}`
  const sandbox = await openSandbox(live, { kind: 'verify', serial, environment, network: settings.network })
  const steps = [...checks.steps]
  // Otherwise nothing would run after a build that fails on the base.
  const all = base.failing.some(({ type }) => type === 'build') ? { all: true as const } : {}
  const reader = new StepReader(live.deps.aside, steps, base.failing)
  const rows = await runSteps().finally(async () => {
    reader.close()
    await closeSandbox(live, sandbox)
  })
  const before = { base: start, before: base.said }
  return withGuards(rows, [
    (every) => tamperCheck(live, before, every),
    // A phase that only writes tests is judged by all of their results together.
    async (every) => (checks.counted ? null : originalTests(live, environment, before, every)),
    (every) => secretCheck(live, start, every),
    (every) => elsewhereCheck(live, start, every),
  ])

  async function runSteps(): Promise<Verification[]> {
    const { result: facts, troubles } = await besideServices(live, sandbox, { id: session, attempt }, () =>
      runSession(live, sandbox, {
        id: session,
        attempt,
        order: orderOf(live, session, checkoutOf(storedOf(live).branch, commit), { kind: 'verify', steps, ...all }),
        access: { project: live.project.id, execution, pushable: null },
        agent: null,
        signal: live.stopper.signal,
        onEvent: reader.take,
        room: reader.room,
      }),
    )
    throwIfStopped(live.stopper)
    const made = checks.made ? { made: true as const } : {}
    const ofSteps = await rowsOf(live, facts, reader, { ...common, session, ...made }, { steps: steps.length, base })
    const found = ofSteps.map((row) => withTroubles(row, troubles))
    return (await checks.counted?.(found)) ?? found
  }
}

type Guard = (rows: readonly Verification[]) => Promise<Verification | null>

/** Runs checks of our own on work that has passed every command. */
async function withGuards(rows: readonly Verification[], guards: readonly Guard[]): Promise<Verification[]> {
  const all = [...rows]
  if (!all.every(({ passed }) => passed)) return all
  for (const guard of guards) {
    const row = await guard(all)
    if (row) all.push(row)
  }
  return all
}

async function rowsOf(
  live: LiveExecution,
  facts: SessionFacts,
  reader: StepReader,
  common: CommonOfRows,
  { steps, base }: { steps: number; base: BaseOf },
): Promise<Verification[]> {
  const before = failuresOf(live.deps.store.verifications(live.id), common.attempt - 1)
  const given = { common, before, base: base.failing, at: live.deps.clock.now() }
  const rowOf = (end: StepEnd, brokeOff?: string) => rowOfStep(end, given, brokeOff)
  const rows = (await reader.ended()).map((end) => rowOf(end))
  const broken = brokeByItself(facts) ? await reader.broken() : null
  if (broken) rows.push(rowOf(broken, facts.detail))
  const verdict = sessionVerdict(facts, rows, steps, live.settings.limits.memoryBytes)
  if (verdict === 'checks') return rows
  if (verdict !== 'contradiction') throw new EndedEarly(verdict)
  return [
    ...rows,
    ownCheck(live, {
      ...common,
      step: rows.length + 1,
      name: 'verification',
      summary: facts.detail,
      digest: facts.detail,
    }),
  ]
}

/** `before`: the failures of the attempt before. */
function rowOfStep(
  end: StepEnd,
  {
    common,
    before,
    base,
    at,
  }: { common: CommonOfRows; before: readonly Verification[]; base: readonly BaseCheck[]; at: number },
  brokeOff?: string,
): Verification {
  const said = outcomeOfStep(end, brokeOff, base)
  const former = before.find(({ name }) => name === end.step.name)
  const verdict = said.passed || !former ? null : compareDigests(former, end.digest)
  return { ...common, step: end.number, ...said, verdict, at }
}
