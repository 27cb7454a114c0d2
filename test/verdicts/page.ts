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
  const summary = `Wrong work: ${wrong.tried} tried, ${wrong.passed} passed. Right work: ${right.tried} tried, ${right.refused} refused.`
  const believed = results.filter((one) => !isRight(one) && !isHonest(one.kind))
  const refused = results.filter((one) => !isRight(one) && isHonest(one.kind))
  const page = [
    '# Verdicts',
    '`npm run verdicts -- --write` makes this page from the measurements; do not edit it.',
    "A bead is COMPLETED when its work is verified. This page measures that verdict on work that is known to be right or wrong: [the 225 exercises of Aider's polyglot benchmark](https://github.com/Aider-AI/polyglot-benchmark) in six languages and [the defects of QuixBugs](https://github.com/jkoppel/QuixBugs) in two. Each has tests and a solution that passes them. No model takes part. The sets are not in this repository: `npm run verdicts -- --help` says where they come from. One exercise is left out, because it asks for the tests themselves. `ledger` and Go's `markdown` ask for better code in place of code that passes the tests already, so only right work is tried on them.",
    `**${summary}**`,
    conditions(results),
    '## By language',
    ...languages.flatMap((language) => partOf(language, results)),
    '## How it is measured',
    'Each exercise is a folder with its own check, in a repository that is a project of a real server. A bead is one try at an exercise. On the base `stub` the tests fail, as when a bead is there to make them pass (`"proveBase": false`). On the base `green` the solution is there, its tests are proved, and the work breaks the code. Every verification runs in a container of its own. In one case of ten an agent (`command`) does the work in its container and pushes it to the hub. In the others the work is handed in as a commit on the bead\'s branch. From there all go the same way: checks, guard, merge.',
    'Each kind of sabotage has several ways in each language, and the exercises take turns with them. If the tests do not compile anyway, some ways make no difference. If the command itself passed, the work was refused by the guard of tests, or by the comparison with the tests that ran before. The test that fails once passes when the check is repeated.',
    '## What went wrong',
    list([...believed, ...refused]),
    '## What is not seen',
    "The guard compares words, not meanings. If one or two expected values are changed to what the code returns, that looks like a change of behaviour, which beads ask for every day; the reviewer is shown it. The guard does not know an assertion that calls a helper of the tests which checks less, or a condition in the tests that is never true. It judges a set-up file or a plugin by the known ways to decide for tests, and does not read one that has no usual name and that no new line names. Code that detects a test and answers with the expected values passes every test. So does a program that prints its runner's output itself, name by name.",
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
  return `Exercises tried: ${sets.join(', ')}, with the reference solutions of ${solved} of polyglot's 224. ${whole} of ${results.length} pieces of work were done by an agent in a container. Measured from ${days[0] ?? ''} to ${days.at(-1) ?? ''}, at ${commits.slice(-5).join(', ')}, on a machine with ${cpus().length} CPUs and ${Math.round(totalmem() / 1024 ** 3)} GiB, in Docker.`
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
    `${new Set(own.map(({ exercise }) => exercise)).size} exercises; ${tried} of ${known} ways to sabotage.`,
    table(
      ['wrong work', 'tried', 'refused', 'refused though the command passed', 'passed'],
      Object.entries(sabotages).flatMap(([kind, words]) => rowOf(kind as Kind, words, true)),
    ),
    table(
      ['right work', 'tried', 'refused', 'passed'],
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
