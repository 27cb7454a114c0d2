// `npm run test:faults`: sets up the fault tests, then runs their long form. Passes its arguments to vitest.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { withFaultTable } from './fault-table.mjs'
import { main, node24, root, run, say } from './run.mjs'

await main(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    return say(
      'npm run test:faults [-- NAME … | -t "words of a test"]: kills, floods and breaks a server of its own for about an hour and a half, checks that nothing was lost, and prints what it did as a table.\nSOAK_MINUTES=NUMBER is how long the soak takes of it, 60 if you do not say.\nFAULT_SEED=NUMBER chooses the moments of the faults; a failure says which it was.',
    )
  }
  await ensureDependencies()
  await ensureBuilt()
  await ensureDocker()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const tests = [vitest, 'run', '--project', 'faults', ...args]
  await withFaultTable((rows) => run(node24, tests, { env: { ...process.env, ...rows }, why: 'the fault tests' }))
})
