import { lacksBuild } from './after-build.ts'
import { isUnnamed, unnamedWords } from './unnamed-failure.ts'
import { notFoundWords, type OwnImage } from '../setup-failures/not-found-words.ts'
import { isSilent, ranNothing } from '../../digest/tests-run.ts'
import { COMMAND_NOT_FOUND } from '../../execution/next-step.ts'
import { calledProgram, programIn } from '../../execution/failure/failing-checks.ts'
import { stepWords, type Verification, type VerifyStep } from '../../records/verification.ts'
import { fenced } from '../../text/fenced.ts'
import { oneLine } from '../../text/one-line.ts'

/*
 * Whether a project's base is fit to work on: `setup` and every check, on a commit that no agent has touched.
 */

/** The result of one of the project's checks on the base. */
export type BaseCheck = Pick<
  Verification,
  | 'name'
  | 'type'
  | 'command'
  | 'passed'
  | 'exitCode'
  | 'durationMs'
  | 'tool'
  | 'failures'
  | 'collected'
  | 'tests'
  | 'summary'
  | 'digest'
  | 'findings'
>

/** Why a base cannot be worked on. */
export const brokenBy = ['image', 'setup', 'secret', 'service', 'memory', 'time', 'command', 'checks'] as const
export type BrokenBy = (typeof brokenBy)[number]

/**
 * The end of a proof. `green`: every check passes. `red`: some fail, and no work is measured by those. `broken`:
 * nothing of the project starts; `text` says what is wrong and `fix` what to do. `stopped`: a person stopped it, and
 * nothing starts either.
 */
export type ProofEnd =
  | { is: 'green' }
  | { is: 'red' }
  | { is: 'broken'; by: BrokenBy; text: string; fix: string }
  | { is: 'stopped'; text: string; fix: string }

/** A person has stopped the proof. */
export const stoppedProof: ProofEnd = {
  is: 'stopped',
  text: 'You stopped the proof of the base, so nothing starts.',
  fix: 'Prove it again, or change the base or the settings.',
}

/** Whether an agent could make it green: it has a sandbox to work in, and a check says what is wrong. */
export const isMendable = ({ state, by }: { state: string; by: BrokenBy | null }): boolean =>
  state === 'red' || by === 'checks'

/**
 * @param checks all of them, in order
 * @param own null: they ran in Beadloom's own image
 * @param steps the checks' settings: one with `paths` is not run for all work
 */
export function judgeBase(
  checks: readonly BaseCheck[],
  own: OwnImage | null = null,
  steps: readonly Pick<VerifyStep, 'name' | 'paths'>[] = [],
): Extract<ProofEnd, { is: 'green' | 'red' | 'broken' }> {
  const failing = checks.filter((check) => !check.passed && !ranNoTest(check))
  const missing = failing.find((check) => check.exitCode === COMMAND_NOT_FOUND && !lacksBuild(checks, check))
  // A linter that passes says nothing of tests that cannot be started.
  if (missing && !checks.some((check) => check.type === 'test' && isGreenInPart(check)))
    return commandMissing(missing, own)
  if (failing.length === 0) return checks.some(ranNoTest) ? { is: 'red' } : { is: 'green' }
  const tests = checks.filter(({ type }) => type === 'test')
  // A passing linter cannot replace the tests: no work could pass them, or be verified without them.
  const deciding = failing.some(({ type }) => type === 'test') ? tests : checks
  if (deciding.some(isGreenInPart)) {
    const unnamed = failing.filter(
      (check) => isUnnamed(check) && !steps.some((one) => one.name === check.name && one.paths),
    )
    return unnamed.length === 0 ? { is: 'red' } : cannotPass(unnamed, own)
  }
  return {
    is: 'broken',
    by: 'checks',
    text: `${failingWords(failing, checks)} before any work is done: ${listed(failing)}.`,
    fix: `${calledWords(failing, own)}Fix the base. If beads are there to make the checks pass, set "verification.proveBase" to false in beadloom.json.`,
  }
}

/** No work could pass these checks, whatever it does. */
function cannotPass(unnamed: readonly BaseCheck[], own: OwnImage | null): Extract<ProofEnd, { is: 'broken' }> {
  const told = unnamed.slice(0, MOST_LISTED).map((check) => `${stepWords(check)}: ${unnamedWords(check)}`)
  return {
    is: 'broken',
    by: 'checks',
    text: `No work could pass ${unnamed.length === 1 ? 'a check that fails' : `${unnamed.length} checks that fail`} before any work is done: ${told.join('; ')}.`,
    fix: `${calledWords(unnamed, own)}Fix the base, or set "verify" in beadloom.json: the tests' own command as the check "test", and what follows them, if it is to count, as a check of another type.`,
  }
}

/** The program that a script of a check did not find; the script's own exit code does not tell. */
function calledWords(failing: readonly BaseCheck[], own: OwnImage | null): string {
  const called = failing.map((check) => calledProgram(check.digest)).find((program) => program !== null)
  return called === undefined ? '' : `${notFoundWords(called, own)} `
}

function failingWords(failing: readonly BaseCheck[], checks: readonly BaseCheck[]): string {
  if (failing.length < checks.length) return 'No test passes'
  return failing.length === 1 ? 'The only check fails' : `All ${failing.length} checks fail`
}

/** Whether it passes, or some of its tests do. Tests that were merely found do not count. */
const isGreenInPart = ({ passed, tests = [] }: BaseCheck): boolean => passed || tests.some((one) => one.passed > 0)

/** Whether it fails only because it has no test to run yet: work has to bring one. */
export const ranNoTest = ({ passed, exitCode, type, tests = [] }: BaseCheck): boolean =>
  !passed && exitCode === 0 && type === 'test' && ranNothing(tests)

/** Whether it fails as work may fail, too. */
const isNotCounted = (check: BaseCheck): boolean => !check.passed && !ranNoTest(check) && !isUnnamed(check)

/** Parts of the suite that could not run: the code that they cover is not checked. */
export const unrunParts = (checks: readonly BaseCheck[]): string[] => [
  ...new Set(checks.flatMap(({ tests = [] }) => tests.flatMap(({ unrun }) => unrun))),
]

function commandMissing(check: BaseCheck, own: OwnImage | null): Extract<ProofEnd, { is: 'broken' }> {
  const program = programIn(check)
  const what = program === null ? 'a program that it starts' : oneLine(program)
  return {
    is: 'broken',
    by: 'command',
    text: `The check ${stepWords(check)} cannot run: ${what} is not installed.`,
    fix: notFoundWords(program, own),
  }
}

/**
 * Tells an agent about a base that is red in part, so that it does not mend what nobody asked for, or give up.
 *
 * @param part it does a part of a plan, which says who adds tests, and others commit and push
 */
export function redNotice(checks: readonly BaseCheck[], part = false): string {
  const others = [
    ...checks.filter(ranNoTest).map((check) => `${stepWords(check)} has no test to run yet${part ? '' : ': add one'}.`),
    ...checks
      .filter(isUnnamed)
      .map(
        (check) =>
          `${stepWords(check)} fails before any work of yours, and counts all the same: ${unnamedWords(check)}.`,
      ),
  ]
  const failing = checks.filter(isNotCounted).map((check) => `- ${stepWords(check)}: ${oneLine(check.summary)}`)
  if (failing.length === 0) return others.join('\n')
  return [
    'This fails on the commit that you start from, before any work of yours:',
    ...failing.slice(0, MOST_LISTED),
    ...(failing.length > MOST_LISTED ? [`- and ${failing.length - MOST_LISTED} more`] : []),
    'It does not count against your work. Leave it as it is, unless the task is about it. Where nothing else fails, your tests count as passed' +
      (part ? '.' : ': commit and push.'),
    ...others,
  ].join('\n')
}

const MINUTE_MS = 60_000

/** The pause after so many failures in a row, in milliseconds: five minutes, doubled each time, four hours at most. */
export const pauseBeforeProof = (tries: number): number => Math.min(5 * MINUTE_MS * 2 ** (tries - 1), 240 * MINUTE_MS)

const MOST_LISTED = 5

/** "lint (npm run lint): 3 errors; test (npm test): 4 tests failed". */
export function listed(failing: readonly Pick<BaseCheck, 'name' | 'command' | 'summary'>[]): string {
  const named = failing.slice(0, MOST_LISTED).map((check) => `${stepWords(check)}: ${oneLine(check.summary)}`)
  const more = failing.length - named.length
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** "1 of 4 checks fails on main too …": none of that counts against an agent. */
export function redText(checks: readonly BaseCheck[], branch: string): string {
  const failing = checks.filter(isNotCounted)
  const one = failing.length === 1
  const sentences = [
    ...(failing.length === 0
      ? []
      : [
          `${failing.length} of ${checks.length} checks ${one ? 'fails' : 'fail'} on ${branch} too: ${listed(failing)}. ${one ? 'It does' : 'They do'} not count against an agent.`,
        ]),
    ...checks.filter(isUnnamed).map((check) => `No work can pass ${stepWords(check)}: ${unnamedWords(check)}.`),
    ...checks.filter(ranNoTest).map((check) => `${stepWords(check)} has no test to run yet.`),
    ...notRunText(unrunParts(checks)),
    ...opaqueWords(checks.flatMap(({ tests = [] }) => tests.flatMap(({ opaque = [] }) => opaque))),
    ...failing
      .filter(({ type, tests }) => type === 'test' && isSilent(tests))
      .map((check) => `No test of ${check.name} is known to have run: work on code is not checked by it.`),
    ...[byExitCodeText(checks)].filter(Boolean),
  ]
  return sentences.join(' ')
}

/** Names checks that are judged by their exit code alone; '' if all of them say which tests ran. */
export function byExitCodeText(checks: readonly BaseCheck[]): string {
  const silent = checks.filter(({ type, passed, tests = [] }) => type === 'test' && passed && tests.length === 0)
  if (silent.length === 0) return ''
  const whose = silent.length > 1 ? 'their' : 'its'
  return `${silent.slice(0, MOST_LISTED).map(stepWords).join(', ')}: Beadloom recognises no test runner in ${whose} output, so the exit code alone decides, and a test that no longer runs goes unnoticed.`
}

function opaqueWords(programs: readonly string[]): string[] {
  if (programs.length === 0) return []
  const more = programs.length > MOST_LISTED ? ` and ${programs.length - MOST_LISTED} more` : ''
  return [
    `The output does not name the tests that fail in ${programs.slice(0, MOST_LISTED).map(oneLine).join(', ')}${more}: work on what they cover is not checked.`,
  ]
}

function notRunText(parts: readonly string[]): string[] {
  if (parts.length === 0) return []
  const more = parts.length > MOST_LISTED ? ` and ${parts.length - MOST_LISTED} more` : ''
  return [
    `The tests of ${parts.slice(0, MOST_LISTED).map(oneLine).join(', ')}${more} could not run: work on what they cover is not checked.`,
  ]
}

const MOST_OF_A_DIGEST = 3000
/** The beginning of the description of the bead that makes a base green. */
export const MENDING_START = 'Before any bead is worked on, these checks fail on '

/** The bead that makes a base green. Its digests are text of the repository. */
export function mendingBead(
  failing: readonly BaseCheck[],
  branch: string,
  commit: string,
): { title: string; description: string; priority: number; type: string } {
  const told = failing.map((check) => `${stepWords(check)}\n${fenced(check.digest, MOST_OF_A_DIGEST)}`)
  return {
    title: `Fix failing checks: ${oneLine(failing.map(({ name }) => name).join(', ')).slice(0, 200)}`,
    description: `${MENDING_START}${branch} (commit ${commit.slice(0, 12)}). Find out why, and fix the cause: do not remove, skip or weaken tests. Until these checks pass, they do not count against other beads.\n\n${told.join('\n\n')}`,
    priority: 1,
    type: 'bug',
  }
}
