// `npm test`: sets up the tests, then runs the named suites, or those of `byDefault`.
import { prepare } from './preparation.mjs'
import { report } from './report.mjs'
import { main, say } from './run.mjs'
import { checkNames, runSuites, suites } from './suites.mjs'

/** The other suites take long, or need a program that is built for them: `npm run test:all` runs everything. */
const byDefault = ['check', 'unit', 'contract', 'policy', 'flow', 'e2e']

await main(async () => {
  const asked = process.argv.slice(2)
  if (asked.includes('--help') || asked.includes('-h')) {
    return say(
      `npm test [-- SUITE …]: sets up what the tests need and runs the suites ${Object.keys(suites).join(', ')} (default: ${byDefault.join(', ')}; the others take long, bd, forge and kubernetes first build a real bd, a real Gitea and a real cluster with Go). npm run test:all runs everything.\nREQUIRE_ALL=1 makes a failure of every test that would be skipped.`,
    )
  }
  checkNames(asked)
  const names = asked.length > 0 ? asked : byDefault
  const ready = prepare(names.flatMap((name) => suites[name].needs))
  report(await runSuites(names, ready), (name) => `npm test -- ${name}`)
})
