// `npm run bench`: sets up the benchmarks, then runs them. Passes its arguments to test/bench/main.ts.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { main, node24, root, run } from './run.mjs'

await main(async () => {
  const args = process.argv.slice(2)
  await ensureDependencies()
  if (!args.includes('--help')) {
    await ensureBuilt()
    await ensureDocker()
  }
  await run(node24, [join(root, 'test/bench/main.ts'), ...args], { why: 'the benchmark' })
})
