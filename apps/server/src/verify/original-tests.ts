import { mendsBase } from '@beadloom/core/bead/mending.ts'
import { stepWords, type Verification, type VerifyStep } from '@beadloom/core/records/verification.ts'
import { isEscaped } from '@beadloom/core/execution/choose-tests.ts'
import { buildsBefore, chosenOf, stepAgain } from '@beadloom/core/execution/steps-again.ts'
import { isTestFile } from '@beadloom/core/tamper/tamper.ts'
import { notAllowed, TESTS_KEPT, whoAllowed } from '@beadloom/core/execution/allowed.ts'
import {
  bentText,
  excusedBy,
  isOfRunner,
  judgeOriginals,
  originalFiles,
  otherText,
  type OriginalFiles,
  type RunOfTests,
} from '@beadloom/core/verdict/original-tests.ts'
import type { VerdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { TestsOfBase } from './tests-of-base.ts'
import type { DiffFile } from '../ports/hub/diffs.ts'
import { sameCheck } from './base/said-before.ts'
import { scriptsAt } from './scripts-at.ts'
import { isTestRun, namesNoTest, sentence, type Before } from './ran-before.ts'
import { refusal } from './refusal.ts'
import { runBeside } from './run-beside.ts'
import type { StepEnd } from './step-reader.ts'
import { startedPaths } from './started-files.ts'
import { taskOf, testDiff } from './work-diff.ts'

/**
 * Work that changed existing tests has to pass them in their old form, too: its checks run once more with these files
 * from the commit where it began. A test that failed there, fails in its old form and passes in its new one was bent,
 * and costs the attempt. A test that passed there may be wrong by the bead's own words: people are told, or asked if
 * the project wants that. Null: nothing counts against the work.
 */
export async function originalTests(
  live: LiveExecution,
  environment: string,
  { base, before }: Before,
  rows: readonly Verification[],
): Promise<Verification | null> {
  const { settings, deps, project, bead } = live
  const { hub } = deps
  const [first] = rows
  if (!first || settings.originalTests === 'off' || first.purpose === 'merge' || base === first.commit) return null
  if (!rows.every(({ passed }) => passed)) return null
  const allowed = deps.store.testsAllowed(project.id, bead.id)
  const asked = { task: taskOf(live), allowed: allowed.flatMap(({ findings }) => findings) }
  const tests = rows.filter((row) => isTestRun(row) && row.exitCode !== null && row.made !== true)
  if (tests.length === 0) return null
  const wasGreen = tests.every((row) => before.find(sameCheck(row))?.passed === true)
  const { all } = await testDiff(live, base, first.commit)
  const proved = tests.every((row) => before.some(sameCheck(row)))
  const ofBase = new TestsOfBase(live, base)
  const red = wasGreen ? null : { proved, needed: await ofBase.needed(all) }
  // A runner says how its tests ended, whatever starts it.
  const started = namesNoTest(tests) ? await startedPaths(live, base, all) : []
  const tables = [...(await ofBase.tables(all)), ...started]
  const files = await filesOf(live, all, { ...asked, red, tables })
  const texts = await inlineTests(live, { base, commit: first.commit }, all)
  if (files === null && texts.length === 0) return null
  const { attempt, run: number, commit } = first
  const scripts = await scriptsAt(live, commit)
  const choosable = texts.length > 0 ? null : (files?.chosen ?? null)
  const chosen = (row: Verification): VerifyStep => {
    const command = choosable === null ? null : chosenOf(row, choosable, scripts)
    return stepAgain(row, settings.limits.testTimeoutMs, command ?? row.command)
  }
  const builds = [...new Set(tests.flatMap((row) => buildsBefore(rows, row)))]
  const steps = [...builds.map((row) => stepAgain(row, settings.limits.testTimeoutMs)), ...tests.map(chosen)]
  const { paths, without } = files ?? { paths: [], without: [] }
  const serial = `original-${attempt}${number > 1 ? `-${number}` : ''}`
  const run = { attempt, serial, commit, steps, tests: { commit: base, paths, without, texts } }
  const { ended } = await runBeside(live, environment, run)
  const failing = tests.flatMap((row): Failing[] => {
    const end = ended.find(({ step }) => step.type === 'test' && step.name === row.name)
    return end === undefined || (end.exitCode ?? 0) === 0 ? [] : [{ row, end }]
  })
  if (failing.length === 0) return null
  const known = await saidOfBase(live, environment, { base, before, attempt, number }, { builds, failing })
  const former = await hub.readFiles(project.id, base, paths.slice(0, MOST_READ), SOURCE_BYTES)
  const said = [...former.values(), ...texts.map(({ text }) => text)]
  const only = paths.length === 0 && texts.length === 0 && !without.some(isOfRunner)
  const excused = excusedBy(asked.task, asked.allowed)
  const bent: string[] = []
  const other: string[] = []
  for (const { row, end } of failing) {
    const atBase = known.get(row.name)
    if (atBase === undefined) continue
    const found = judgeOriginals(atBase, row, runOf(end), { excused, texts: said, only })
    bent.push(...sentence(bentText(stepWords(row), found, only)))
    other.push(...sentence(otherText(stepWords(row), found)))
  }
  // The bead may exist because these tests are wrong.
  const mending = mendsBase(bead)
  const held = [...(mending ? [] : bent), ...(settings.originalTests === 'refuse' ? other : [])]
  const refused = notAllowed(held, allowed)
  const told = [...bent, ...other].filter((text) => !refused.includes(text))
  if (told.length > 0)
    await deps.store.flagExecution(live.id, {
      kind: 'tests_changed',
      text: `attempt ${attempt}: ${told.join('; ')}${whoAllowed(told, allowed)}`,
    })
  if (refused.length === 0) return null
  const summary = refused.join('; ')
  await deps.store.flagExecution(live.id, { kind: 'tampered', text: `attempt ${attempt}: ${summary}` })
  return refusal(live, rows, {
    name: TESTS_KEPT,
    findings: refused,
    summary,
    digest: `The checks pass, but not with the tests as they were: ${summary}.\nRestore these tests (\`git diff ${base.slice(0, 12)}\` shows what changed since the start), and make the code pass them. Only a person can say that a test was wrong.`,
  })
}

type OriginalsWish = Parameters<VerdictReadings['originals']>[0]

/** If it takes too much work to find what people have excused, nothing is excused. */
async function filesOf(
  { deps }: LiveExecution,
  all: readonly DiffFile[],
  wish: Omit<OriginalsWish, 'all'>,
): Promise<OriginalFiles | null> {
  const files = all.map(({ path, oldPath, status }) => ({ path, oldPath, status }))
  const found = await deps.aside.verdict('originals', { all: files, ...wish })
  return found === null ? originalFiles(files, { red: wish.red, tables: wish.tables }) : found.files
}

const MOST_INLINE = 40
const SOURCE_BYTES = 256 * 1024
const MOST_READ = 100

/** Files with tests beside the code: the new code with the old tests; files that take too much work are left out. */
async function inlineTests(
  { deps: { hub, aside }, project }: LiveExecution,
  { base, commit }: { base: string; commit: string },
  all: readonly DiffFile[],
): Promise<{ path: string; text: string }[]> {
  const paths = all
    .filter(({ path, status }) => status === 'M' && path.endsWith('.rs') && !isTestFile(path) && !isEscaped(path))
    .map(({ path }) => path)
    .slice(0, MOST_INLINE)
  if (paths.length === 0) return []
  const [now, before] = await Promise.all(
    [commit, base].map((one) => hub.readFiles(project.id, one, paths, SOURCE_BYTES)),
  )
  const pairs = paths.map((path) => ({ path, now: now?.get(path) ?? '', before: before?.get(path) ?? '' }))
  return (await aside.verdict('formerTests', pairs)) ?? []
}

const runOf = ({ exitCode, digest: { tool, findings, tests } }: StepEnd): RunOfTests => ({
  exitCode,
  tool,
  findings,
  tests,
})

/** A check of the work, and how it ended with the old tests. */
type Failing = { row: Verification; end: StepEnd }
type OfBase = Before & { attempt: number; number: number }

/** The failing checks' results on the commit where the work began, by name. A check without one runs there now. */
async function saidOfBase(
  live: LiveExecution,
  environment: string,
  { base, before, attempt, number }: OfBase,
  { builds, failing }: { builds: readonly Verification[]; failing: readonly Failing[] },
): Promise<Map<string, RunOfTests>> {
  const known = new Map<string, RunOfTests>()
  const open: StepEnd[] = []
  for (const { row, end } of failing) {
    const said = before.find(sameCheck(row))
    if (said === undefined) open.push(end)
    else known.set(row.name, said)
  }
  if (open.length === 0) return known
  const steps = [
    ...builds.map((row) => stepAgain(row, live.settings.limits.testTimeoutMs)),
    ...open.map(({ step }) => step),
  ]
  const serial = `before-${attempt}${number > 1 ? `-${number}` : ''}`
  const { ended } = await runBeside(live, environment, { attempt, serial, commit: base, steps, all: true })
  for (const end of ended) if (end.step.type === 'test') known.set(end.step.name, runOf(end))
  return known
}
