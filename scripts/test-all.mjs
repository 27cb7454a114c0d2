// `npm run test:all`: runs everything, one suite after the other, then prints a table and writes docs/tested.md.
import { parseArgs } from 'node:util'
import { ensureDependencies } from './dependencies.mjs'
import { prepare } from './preparation.mjs'
import { report } from './report.mjs'
import { main, say, Stop } from './run.mjs'
import { checkNames, partsOf, runSuites, suites } from './suites.mjs'
import { countsOf, lastRows, leftOf, neededRecords, recordsHere, shardFrom, writePage } from './tested.mjs'

const HELP = `npm run test:all [-- FLAGS]: runs ${Object.keys(suites).join(', ')}, one after the other, whether they fail or not, and ends with a table. It takes hours; a release means that it was run. Exit code 1 if any suite failed.

  --only SUITE,SUITE  only these suites
  --resume            skips the files of tests that have passed on this commit
  --shard 2/3         runs the second third of the files of each suite, as for one of three machines
  --page              runs nothing, and writes docs/tested.md from what ran on this commit

On a commit without changes, each file of tests is noted in test-results/tested when it ends, and docs/tested.md is written at the end. To bring machines together, append their notes to each other's, then use --page.
REQUIRE_ALL=1 makes a failure of every test that would be skipped.`

await main(async () => {
  const { help, only, resume, shard, page } = flagsFrom(process.argv.slice(2))
  if (help) return say(HELP)
  const names = only === undefined ? Object.keys(suites) : namesFrom(only)
  const share = shard === undefined ? null : shardFrom(shard)
  if (page) return writeAll(neededRecords('--page'))
  const records = resume ? neededRecords('--resume') : recordsHere()
  if (records === null) say('Files have changed since the last commit, so nothing of this run is noted for --resume.')
  if (share !== null && records === null) neededRecords('--shard')
  const isPart = resume || share !== null
  // A suite with nothing left to run needs nothing built.
  const ready = prepare(isPart ? [] : names.flatMap((name) => suites[name].needs))
  const results = await runSuites(names, ready, { records, chosen: isPart ? chosenBy(records, resume, share) : null })
  report(results, (name) => `npm run test:all -- --only ${name}`)
  if (records !== null) await writeAll(records)
})

function flagsFrom(args) {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    only: { type: 'string' },
    resume: { type: 'boolean', default: false },
    shard: { type: 'string' },
    page: { type: 'boolean', default: false },
  }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new Stop(`${error.message.split('. ', 1)[0]}. npm run test:all -- --help says what there is.`)
  }
}

/** The named suites, in the order of the table. */
function namesFrom(list) {
  const only = list.split(',').filter(Boolean)
  if (only.length === 0) throw new Stop('--only needs names: --only SUITE,SUITE')
  checkNames(only)
  return Object.keys(suites).filter((name) => only.includes(name))
}

function chosenBy(records, resume, share) {
  return (name, parts) => {
    const mine = share === null ? parts : share(parts)
    return resume ? leftOf(lastRows(records).get(name), mine) : mine
  }
}

/** Writes the page with all suites, including those that have not run. */
async function writeAll(records) {
  await ensureDependencies()
  const rows = lastRows(records)
  const results = []
  for (const [name, suite] of Object.entries(suites))
    results.push({ name, ...countsOf(rows.get(name), await partsOf(suite)) })
  say(`${writePage(records, results)} says what ran on this commit.`)
}
