import { isEscaped } from '@beadloom/core/execution/choose-tests.ts'
import { redGreenFact, redGreenSteps } from '@beadloom/core/execution/steps-again.ts'
import { notAsked, type RedGreen } from '@beadloom/core/records/red-green.ts'
import type { TestsOf } from '@beadloom/core/execution/session-order.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import { belongsToTests, isTestedCode } from '@beadloom/core/tamper/tamper.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { scriptsAt } from './scripts-at.ts'
import { runBeside } from './run-beside.ts'
import { forgetTestDiff, startOf, testDiff, testsIn, type TestDiff } from './work-diff.ts'

/** The most files that accompany the tests (data, helpers). */
const MOST_PATHS = 500

type Ready = { attempt: number; commit: string; base: string; environment: () => Promise<string> }

/**
 * Finds out whether the new tests of a verified commit fail without its change. Only they run, in a clean container like
 * that of the checks, on the commit where the work began plus the new commit's tests. The result decides nothing; on an
 * error it is unknown.
 */
export async function noteRedGreen(live: LiveExecution, of: Omit<Ready, 'base'>): Promise<void> {
  const { store, log } = live.deps
  const { redGreen } = storedOf(live)
  const { commit } = of
  if (!live.settings.redGreen || (redGreen?.commit === commit && redGreen.is !== 'running')) return forgetTestDiff(live)
  live.watchdog.hold() // this time does not count against the bead
  try {
    const base = await startOf(live, commit)
    const fact = base === commit ? null : await askedFor(live, { ...of, base })
    throwIfStopped(live.stopper)
    const session = storedOf(live).redGreen?.session ?? null
    if (fact) await store.noteRedGreen(live.id, { ...fact, commit, base, session })
  } catch (error) {
    throwIfStopped(live.stopper)
    log.warn({ error, execution: live.id }, 'could not find out whether the new tests fail without the change')
    const text = `It is unknown whether its tests fail without the change: ${messageOf(error).slice(0, 300)}`
    await store.noteRedGreen(live.id, { is: 'unknown', text, commit, base: commit, session: null })
  } finally {
    forgetTestDiff(live)
    live.watchdog.resume()
  }
}

type Fact = Pick<RedGreen, 'is' | 'text'>

/** Null: there is nothing to ask, as no code has changed. */
async function askedFor(live: LiveExecution, ready: Ready): Promise<Fact | null> {
  const { base, commit } = ready
  const diff = await testDiff(live, base, commit)
  const { adding: paths, fresh: added } = await testsIn(live, diff)
  if (paths.length === 0) {
    const changesCode = diff.all.some(({ path, status, added }) => status !== 'D' && added !== 0 && isTestedCode(path))
    return changesCode && diff.files.length === 0
      ? { is: 'no_tests', text: 'The code was changed without any test' }
      : null
  }
  const { testTimeoutMs } = live.settings.limits
  const asked = { files: paths, scripts: await scriptsAt(live, commit), testTimeoutMs }
  const steps = redGreenSteps(live.deps.store.verifications(live.id), ready, asked)
  if (steps === null)
    return notAsked(
      added,
      paths.length,
      'the test command cannot run just these, so nobody knows whether they fail without the change',
    )
  return judged(live, ready, steps, { commit, paths: pathsToBring(diff) }, [added, paths.length])
}

const pathsToBring = ({ all }: TestDiff): string[] =>
  all
    .filter(({ path, status }) => status !== 'D' && belongsToTests(path) && !isEscaped(path))
    .map(({ path }) => path)
    .slice(0, MOST_PATHS)

async function judged(
  live: LiveExecution,
  { attempt, commit, base, environment }: Ready,
  steps: VerifyStep[],
  tests: TestsOf,
  [added, files]: [number, number],
): Promise<Fact> {
  const text = 'Its tests are run without the change'
  const { ended, detail } = await runBeside(
    live,
    await environment(),
    { attempt, serial: `red-green-${attempt}`, commit: base, steps, tests },
    (session) => live.deps.store.noteRedGreen(live.id, { is: 'running', text, commit, base, session }),
  )
  return redGreenFact(ended, detail, added, files)
}
