import type { PublicRepository } from './public-repository.ts'
import { verdictOf, type Result, type Results, type Sabotage } from './results.ts'

/* Writes `docs/repositories.md` and `docs/repositories/found.md` from the measurements alone. */

/** Limit for the work beside the download. */
export const AIM_SECONDS = 300

export const secondsOf = ({ spent }: Pick<Result, 'spent'>): { all: number; beside: number } => ({
  all: spent.image + spent.setup + spent.checks,
  beside: spent.setup + spent.checks - spent.received,
})

const minutes = (seconds: number): string => (seconds / 60).toFixed(1)

const isProved = ({ base }: Result): boolean => base === 'green' || base === 'red'

type Known = { repository: PublicRepository; result: Result }

/** The pages by their paths below `docs`. */
export function pagesOf(list: readonly PublicRepository[], results: Results): Record<string, string> {
  const known = list.flatMap((repository) => {
    const result = results[repository.name]
    return result ? [{ repository, result }] : []
  })
  return { 'repositories.md': tableOf(list, known), 'repositories/found.md': foundPage(known) }
}

function tableOf(list: readonly PublicRepository[], known: readonly Known[]): string {
  const here = known.filter(({ repository }) => repository.registry === null)
  const proved = here.filter(({ result }) => isProved(result))
  const inTime = proved.filter(({ result }) => secondsOf(result).beside <= AIM_SECONDS)
  const sums = sumsOf(known.map(({ result }) => result.sabotage))
  return `# Repositories that nobody prepared

\`npm run repositories\` treats ${list.length} public repositories, at the commits of [its list](../test/public-repositories/list.ts), as a newcomer does: it clones each and runs \`beadloom project add\`, without a \`beadloom.json\`. It writes this page; do not edit it.

\`\`\`
REPOSITORIES=FOLDER npm run repositories       a folder of clones (OWNER/NAME, OWNER-NAME or NAME);
                                               others are cloned from GitHub
npm run repositories -- pallets/flask spf13    only those whose names contain one of these words
npm run repositories -- --again                also those that have a result at their commit
npm run repositories -- --no-sabotage          only the proof of the base
npm run repositories -- --page                 only this page, from the results
\`\`\`

- **The base** is proved on a real server, in real containers: *green*; *red* if some tests fail on it and all others are measured; or *broken*, with what is missing and what to do.
- **Minutes** count from the request to the end of the proof. The figure in brackets leaves out building the image with the toolchains, and the seconds in which the container of \`setup\` received something.
- **Load** is how many processes wanted each processor at the end: at 1 the minutes are the machine's own, at 10 about ten times as many.
- **Mutations** are five changed lines (a returned constant, a swapped comparison, an early return, a removed call, a raised error) that the repository's own tests catch without Beadloom. Each is handed in as the work of a bead, and is caught if the bead's checks refuse it. An end that is about the machine or the time is no verdict. Lines are chosen by a hash of their place. A mutation is not handed in if the repository's own tests miss it, if it does not compile, or if the tests do not end with it.
- **A comment** is a change that must be COMPLETED.
- A dash means: not tried.

So far ${known.length} of them were tried. ${here.length} of these need nothing but npm, PyPI, crates.io, Go's module proxy, Maven Central and Debian, and **${proved.length} were proved green or red by name, ${inTime.length} of them within ${AIM_SECONDS / 60} minutes** without the download. **${sums.caught} of ${sums.mutants} mutations were caught, and ${sums.harmless} of ${sums.comments} comments completed.**

| repository | commit | shape | minutes | load | base | mutations | comment | to write |
|---|---|---|---|---|---|---|---|---|
${known.map(({ repository, result }) => rowOf(repository, result)).join('\n')}

[What was found](repositories/found.md) in each of them has a page of its own.
`
}

const foundPage = (known: readonly Known[]): string => `# What was found in the repositories

For each of [the repositories](../repositories.md): toolchains, commands and their results, and what is missing. \`npm run repositories\` writes this page; do not edit it.

${known.map(({ repository, result }) => foundOf(repository, result)).join('\n\n')}
`

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
  const { base, sabotage, commit, started, load } = result
  const link = `[${name}](https://github.com/${name}/tree/${commit})`
  const written =
    base === 'none'
      ? '**a test command**'
      : base === 'broken'
        ? `**[what is missing](repositories/found.md#${anchorOf(name)})**`
        : 'nothing'
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
  const told = sentence.replaceAll('): ', ': ')
  const lines = [
    ...found
      .filter((line) => !told.includes(line) && !line.endsWith(': setup failed'))
      .map((line) => `- ${inCell(line)}`),
    ...(sentence === '' ? [] : [`- ${inCell(sentence)}`]),
    ...missed.map(({ kind, path, line }) => `- **Not caught: ${kind} in ${path}:${line}**`),
  ]
  return `## ${name}\n\n${lines.length === 0 ? 'Nothing.' : lines.join('\n')}`
}

/** The anchor that GitHub gives to a repository's heading. */
const anchorOf = (name: string): string => name.toLowerCase().replace(/[^\w-]/g, '')

/** Repositories and their tools print untrusted text: removes line ends, bars and markup. */
const inCell = (text: string): string =>
  cutAtWord(text.replace(/\s+/g, ' ').trim()).replace(/[\\|`*_<>[\]]/g, (sign) => `\\${sign}`)

const MOST_CHARACTERS = 500

function cutAtWord(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const end = text.lastIndexOf(' ', MOST_CHARACTERS)
  return `${text.slice(0, end < 0 ? MOST_CHARACTERS : end)} …`
}
