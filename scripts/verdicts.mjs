// `npm run verdicts`: sets up everything, then measures verdicts. Passes its arguments to test/verdicts/main.ts.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { main, node24, root, run } from './run.mjs'

await main(async () => {
  const args = process.argv.slice(2)
  await ensureDependencies()
  if (!args.includes('--help') && !args.includes('--write')) {
    await ensureBuilt()
    await ensureDocker()
  }
  await run(node24, [join(root, 'test/verdicts/main.ts'), ...args], { why: 'the verdicts' })
})
