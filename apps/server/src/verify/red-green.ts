import { isEscaped } from '@beadloom/core/execution/choose-tests.ts'
import { judgeRedGreen, notAsked, type RedGreen } from '@beadloom/core/records/red-green.ts'
import type { TestsOf } from '@beadloom/core/execution/session-order.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import { belongsToTests, isTestedCode } from '@beadloom/core/tamper/tamper.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { buildsBefore, chosenOf, scriptsAt, stepAgain } from './chosen-steps.ts'
import { runBeside } from './run-beside.ts'
import { forgetTestDiff, startOf, testDiff, testsIn, type TestDiff } from './work-diff.ts'

/** For all runs there together: the result is a fact for people, and nobody waits long for it. */
const LIMIT_MS = 300_000
/** Files that go along with the tests (their data, their helpers). */
const MOST_PATHS = 500

type Ready = { attempt: number; commit: string; base: string; environment: () => Promise<string> }

/**
 * Whether the new tests of a verified commit fail without its change. They alone run, in a clean container like the
 * checks, on the commit where the work began, with only the tests of the new one. It decides nothing: on an error the
 * fact is unknown.
 */
export async function noteRedGreen(live: LiveExecution, of: Omit<Ready, 'base'>): Promise<void> {
  const { store, log } = live.deps
  const { redGreen } = storedOf(live)
  const { commit } = of
  if (!live.settings.redGreen || (redGreen?.commit === commit && redGreen.is !== 'running')) return forgetTestDiff(live)
  live.watchdog.hold() // this time is not the bead's
  try {
    const base = await startOf(live, commit)
    const fact = base === commit ? null : await askedFor(live, { ...of, base })
    throwIfStopped(live.stopper)
    const session = storedOf(live).redGreen?.session ?? null
    if (fact) await store.noteRedGreen(live.id, { ...fact, commit, base, session })
  } catch (error) {
    throwIfStopped(live.stopper)
    log.warn({ error, execution: live.id }, 'whether the new tests fail without the change could not be found out')
    const text = `Whether its tests fail without the change could not be found out: ${messageOf(error).slice(0, 300)}`
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
  const steps = stepsFor(live, ready, paths, await scriptsAt(live, commit))
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

/** Builds that run before tests are built here too; then just these tests. The commands are those that have passed. */
function stepsFor(
  live: LiveExecution,
  { attempt, commit }: Ready,
  files: string[],
  scripts: Record<string, string>,
): VerifyStep[] | null {
  const rows = live.deps.store
    .verifications(live.id)
    .filter((row) => row.attempt === attempt && row.commit === commit && row.passed && row.command !== '')
  const row = rows.find((one) => one.type === 'test' && chosenOf(one, files, scripts) !== null)
  if (!row) return null
  const builds = buildsBefore(rows, row)
  const timeoutMs = Math.min(live.settings.limits.testTimeoutMs, Math.floor(LIMIT_MS / (builds.length + 1)))
  return [
    ...builds.map((build) => stepAgain(build, timeoutMs)),
    stepAgain(row, timeoutMs, chosenOf(row, files, scripts) ?? row.command),
  ]
}

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
  const end = ended.find(({ exitCode }) => exitCode !== 0) ?? ended.at(-1)
  if (!end) return notAsked(added, files, `without the change nothing could be run (${detail.slice(0, 200)})`)
  const { failures, collected } = end.digest
  // A build that fails without the change is as red as its tests.
  const counts = end.step.type === 'build' ? { failures: null, collected: null } : { failures, collected }
  return judgeRedGreen(added, files, { exitCode: end.exitCode, ...counts })
}
