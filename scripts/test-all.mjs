// `npm run test:all`: everything that there is to run, one suite after the other, and a table at the end.
import { prepare } from './preparation.mjs'
import { report } from './report.mjs'
import { main, say, Stop } from './run.mjs'
import { checkNames, runSuites, suites } from './suites.mjs'

await main(async () => {
  const names = namesFrom(process.argv.slice(2))
  if (names === null) {
    return say(
      `npm run test:all [-- --only SUITE,SUITE]: runs ${Object.keys(suites).join(', ')}, one after the other, whether they fail or not, and ends with a table. It takes hours; a release means that it was run. Exit code 1 if any suite failed.\nREQUIRE_ALL=1 makes a failure of every test that would be skipped.`,
    )
  }
  const ready = prepare(names.flatMap((name) => suites[name].needs))
  report(await runSuites(names, ready), (name) => `npm run test:all -- --only ${name}`)
})

/** In the order of the table, whatever the order of the words; null: help is wanted. */
function namesFrom(words) {
  if (words.includes('--help') || words.includes('-h')) return null
  if (words.length === 0) return Object.keys(suites)
  const [flag, list = ''] = words[0].includes('=') ? words[0].split('=') : words
  const only = list.split(',').filter(Boolean)
  if (flag !== '--only' || only.length === 0 || words.length > 2)
    throw new Stop(`npm run test:all takes --only SUITE,SUITE and nothing else, not ${words.join(' ')}.`)
  checkNames(only)
  return Object.keys(suites).filter((name) => only.includes(name))
}
