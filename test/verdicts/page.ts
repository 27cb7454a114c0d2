import { cpus, totalmem } from 'node:os'
import { languages, setNames, type Language } from './exercise.ts'
import { kits } from './languages/kits.ts'
import { isRight, isVerdict, type Result } from './results.ts'
import { honest, isHonest, sabotages, type Kind } from './sabotage.ts'
import { summaryOf } from './summary.ts'

/* The page of the measurements, from the results alone. */

const titles: Record<Language, string> = {
  python: 'Python (pytest)',
  go: 'Go',
  javascript: 'JavaScript (Jest)',
  rust: 'Rust (Cargo)',
  java: 'Java (Maven, JUnit)',
  cpp: 'C++ (Catch2)',
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')

export function pageOf(all: readonly Result[]): { page: string; summary: string } {
  const results = all.filter(isVerdict)
  const { wrong, right } = summaryOf(all, 0)
  const summary = `${wrong.tried} pieces of work that are not done: ${wrong.passed} passed. ${right.tried} that are: ${right.refused} refused.`
  const believed = results.filter((one) => !isRight(one) && !isHonest(one.kind))
  const refused = results.filter((one) => !isRight(one) && isHonest(one.kind))
  const page = [
    '# Verdicts',
    'Written by `npm run verdicts -- --write` from what was measured; edit nothing here by hand.',
    "A bead is COMPLETED when its work is verified. Here the work is known to be right or wrong: [the 225 exercises of Aider's polyglot benchmark](https://github.com/Aider-AI/polyglot-benchmark) in six languages and [the defects of QuixBugs](https://github.com/jkoppel/QuixBugs) in two, each with tests and a solution that passes them. No model takes part. None of it is in this repository: `npm run verdicts -- --help` says where the sets are taken from. One exercise is left out, as it asks for the tests themselves; of `ledger` and Go's `markdown`, which ask for better code where what is there passes the tests, only right work is tried.",
    `**${summary}**`,
    conditions(results),
    '## By language',
    ...languages.flatMap((language) => partOf(language, results)),
    '## How it is measured',
    'Each exercise is a folder with a check of its own in a repository that a real server has as a project; a bead is a try at one. On the base `stub` its tests are red, as where a bead is there to make them pass (`"proveBase": false`). On the base `green` the solution is there and its tests are proved, and the work breaks the code. Every verification runs in a container of its own. One piece of work in ten is done by an agent (`command`) in its container and pushed to the hub; the others are handed in as a commit on the bead\'s branch, and go the same way from there: checks, guard, merge.',
    'A sabotage has several ways in each language, and an exercise gets them in turn. Where the tests do not compile anyway, some of them make no difference. Where the command itself passed, the guard of tests refused the work, or the comparison with the tests that ran before. `flaky` is the solution with a test that fails once, and passes when the check is repeated.',
    '## What went wrong',
    list([...believed, ...refused]),
    '## What is not seen',
    "Words are compared, not meanings. One or two expected values that are changed to what the code gives look like a change of behaviour, which beads ask for every day; they are shown to the reviewer. An assertion that calls a helper of the tests which checks less, and a condition of the tests' own making that is never true, are not known. A set-up file or a plugin is judged by the known ways to decide for tests, and one that no new line names and that has no usual name is not read. Code that knows that it is tested, and answers with the expected values, passes every test that there is; so does a program that prints what its runner would have printed, name by name.",
  ].join('\n\n')
  return { page: `${page}\n`, summary }
}

function conditions(results: readonly Result[]): string {
  const commits = [...new Set(results.map(({ commit }) => commit))]
  const days = results.map(({ at }) => at.slice(0, 10)).sort()
  const whole = results.filter((one) => one.whole).length
  const tried = (some: readonly Result[]) =>
    new Set(some.map(({ language, exercise }) => `${language}/${exercise}`)).size
  const sets = setNames.map((set) => `${set} ${tried(results.filter((one) => one.set === set))}`)
  const solved = tried(results.filter((one) => one.set === 'polyglot' && one.kind === 'oracle'))
  return `Exercises tried: ${sets.join(', ')}; the reference solutions of ${solved} of the 224 of polyglot. ${whole} of ${results.length} by the whole way. ${days[0] ?? ''} to ${days.at(-1) ?? ''}, at ${commits.slice(-5).join(', ')}, on a machine with ${cpus().length} CPUs and ${Math.round(totalmem() / 1024 ** 3)} GiB, in Docker.`
}

/** An id without its exercise: the same for each exercise. */
const wayOf = ({ id, language, base, exercise }: Result): string =>
  id.slice([language, base, exercise, ''].join('.').length)

function partOf(language: Language, results: readonly Result[]): string[] {
  const own = results.filter((one) => one.language === language)
  if (own.length === 0) return [`### ${titles[language]}`, 'Not measured yet.']
  const rowOf = (kind: Kind, words: string, isWrong: boolean) => {
    const some = own.filter((one) => one.kind === kind)
    const passed = some.filter(({ state }) => state === 'COMPLETED').length
    const guarded = some.filter(({ reason }) => reason === 'tests_weakened').length
    const cells = [words, some.length, some.length - passed, ...(isWrong ? [guarded] : []), passed]
    return some.length === 0 ? [] : [cells]
  }
  const known = Object.values(kits[language].ways).flat().length
  const tried = new Set(own.flatMap((one) => (isHonest(one.kind) || one.kind === 'nop' ? [] : [wayOf(one)]))).size
  return [
    `### ${titles[language]}`,
    `${new Set(own.map(({ exercise }) => exercise)).size} exercises; ${tried} of ${known} ways.`,
    table(
      ['work that is not done', 'tried', 'refused', 'of these though the command passed', 'passed'],
      Object.entries(sabotages).flatMap(([kind, words]) => rowOf(kind as Kind, words, true)),
    ),
    table(
      ['work that is done', 'tried', 'refused', 'passed'],
      Object.entries(honest).flatMap(([kind, words]) => rowOf(kind as Kind, words, false)),
    ),
  ]
}

const list = (wrong: readonly Result[]): string =>
  wrong.length === 0
    ? 'Nothing.'
    : wrong
        .map(({ id, state, said }) => `- \`${id}\`: ${state}. ${said.replace(/[`|<>\n]/g, ' ').slice(0, 120)}`)
        .join('\n')
