import type { PublicRepository } from './public-repository.ts'
import { verdictOf, type Result, type Results, type Sabotage } from './results.ts'

/* Writes `docs/repositories.md` from the measurements alone. */

/** Limit for the work beside the download. */
export const AIM_SECONDS = 300

export const secondsOf = ({ spent }: Pick<Result, 'spent'>): { all: number; beside: number } => ({
  all: spent.image + spent.setup + spent.checks,
  beside: spent.setup + spent.checks - spent.received,
})

const minutes = (seconds: number): string => (seconds / 60).toFixed(1)

const isProved = ({ base }: Result): boolean => base === 'green' || base === 'red'

export function pageOf(list: readonly PublicRepository[], results: Results): string {
  const known = list.flatMap((repository) => {
    const result = results[repository.name]
    return result ? [{ repository, result }] : []
  })
  const here = known.filter(({ repository }) => repository.registry === null)
  const proved = here.filter(({ result }) => isProved(result))
  const inTime = proved.filter(({ result }) => secondsOf(result).beside <= AIM_SECONDS)
  const sums = sumsOf(known.map(({ result }) => result.sabotage))
  return `# Repositories that nobody prepared

\`npm run repositories\` takes ${list.length} public repositories at the commits of [its list](../test/public-repositories/list.ts) and does with each what a newcomer does: a clone, \`beadloom project add\`, and nothing written. It writes this page; do not edit it.

\`\`\`
REPOSITORIES=FOLDER npm run repositories       a folder of clones (OWNER/NAME, OWNER-NAME or NAME);
                                               what is not there is cloned from GitHub
npm run repositories -- pallets/flask spf13    only those whose names contain one of these words
npm run repositories -- --again                those as well that have a result at their commit
npm run repositories -- --no-sabotage          the proof of the base alone
npm run repositories -- --page                 nothing but this page, from the results
\`\`\`

**The base** is proved on a real server, in real containers: *green*, *red* where some tests fail on it and all others are measured, or *broken*, with what is missing and what to do. **Minutes** are those from the request to the end of the proof; in brackets: without building the image with the toolchains, and without the seconds in which the container of \`setup\` received something. **Load** is how many processes wanted each processor at its end: at 1 the minutes are the machine's own, at 10 about ten times as many. **Mutations** are five changed lines (a returned constant, a swapped comparison, an early return, a removed call, a raised error) that the repository's own tests catch when they are run without Beadloom, each handed in as the work of a bead: caught are those that its checks refused; an end that is about the machine or the time is no verdict. **A comment** is a change that has to be COMPLETED. Lines are chosen by a hash of their place, and mutations that its own tests miss, that do not compile, or with which the tests do not end, are not handed in. A dash: not tried.

${known.length} of them were tried so far. Of these, ${here.length} need nothing but npm, PyPI, crates.io, Go's module proxy, Maven Central and Debian. Of those, **${proved.length} were proved green or red by name, ${inTime.length} of them within ${AIM_SECONDS / 60} minutes** beside the download. **${sums.caught} of ${sums.mutants} mutations were caught, and ${sums.harmless} of ${sums.comments} comments completed.**

| repository | commit | shape | minutes | load | base | mutations | comment | to be written, or what is missing |
|---|---|---|---|---|---|---|---|---|
${known.map(({ repository, result }) => rowOf(repository, result)).join('\n')}

## What was found

${known.map(({ repository, result }) => foundOf(repository, result)).join('\n\n')}
`
}

function sumsOf(all: readonly (Sabotage | null)[]): Record<'caught' | 'mutants' | 'harmless' | 'comments', number> {
  const done = all.filter((one) => one?.is === 'done')
  const mutants = done.flatMap((one) => one.mutants)
  return {
    mutants: mutants.length,
    caught: mutants.filter(({ end }) => verdictOf(end) === 'caught').length,
    comments: done.length,
    harmless: done.filter(({ harmless }) => harmless.state === 'COMPLETED').length,
  }
}

function rowOf({ name, shape }: PublicRepository, result: Result): string {
  const { all, beside } = secondsOf(result)
  const { base, sentence, sabotage, commit, started, load } = result
  const link = `[${name}](https://github.com/${name}/tree/${commit})`
  const written = base === 'broken' || base === 'none' ? `**${inCell(sentence || 'a test command')}**` : 'nothing'
  const state = base === 'none' ? 'no tests were found' : base === 'broken' && started ? 'broken, and started' : base
  return `| ${[link, commit.slice(0, 8), inCell(shape), `${minutes(all)} (${minutes(beside)})`, load === null ? '–' : String(load), state, ...sabotageCells(sabotage), written].join(' | ')} |`
}

function sabotageCells(sabotage: Sabotage | null): [string, string] {
  if (sabotage === null) return ['–', '–']
  if (sabotage.is === 'impossible') return [`none: ${inCell(sabotage.why).slice(0, 120)}`, '–']
  const verdicts = Object.groupBy(sabotage.mutants, ({ end }) => verdictOf(end))
  const caught = `${verdicts.caught?.length ?? 0} of ${sabotage.mutants.length}`
  const passed = verdicts.passed === undefined ? '' : `, **${verdicts.passed.length} completed**`
  const none = verdicts.none === undefined ? '' : `, ${verdicts.none.length} without a verdict`
  const { state } = sabotage.harmless
  return [caught + passed + none, state === 'COMPLETED' ? 'completed' : `**${state}**`]
}

function foundOf({ name }: PublicRepository, { found, sentence, sabotage }: Result): string {
  const missed = sabotage?.is === 'done' ? sabotage.mutants.filter(({ end }) => verdictOf(end) === 'passed') : []
  const lines = [
    ...found.map((line) => `- ${inCell(line)}`),
    ...(sentence === '' ? [] : [`- ${inCell(sentence)}`]),
    ...missed.map(({ kind, path, line }) => `- **Not caught: ${kind} in ${path}:${line}**`),
  ]
  return `### ${name}\n\n${lines.length === 0 ? 'Nothing.' : lines.join('\n')}`
}

/** Repositories and their tools print untrusted text: removes line ends, bars and markup. */
const inCell = (text: string): string =>
  cutAtWord(text.replace(/\s+/g, ' ').trim()).replace(/[\\|`*_<>[\]]/g, (sign) => `\\${sign}`)

const MOST_CHARACTERS = 500

function cutAtWord(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const end = text.lastIndexOf(' ', MOST_CHARACTERS)
  return `${text.slice(0, end < 0 ? MOST_CHARACTERS : end)} …`
}
