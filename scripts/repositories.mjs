// `npm run repositories`: sets up everything, then tries public repositories. Passes its arguments to
// test/public-repositories/main.ts.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { main, node24, root, run, say } from './run.mjs'

await main(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    return say(
      'npm run repositories [-- WORD … | --again | --no-sabotage | --page]: takes 76 public repositories as a newcomer does, and writes docs/repositories.md, which says what each of these means.\nREPOSITORIES=FOLDER has clones; what is not there is cloned from GitHub.',
    )
  }
  await ensureDependencies()
  if (!args.includes('--page')) {
    await ensureBuilt()
    await ensureDocker()
  }
  await run(node24, [join(root, 'test/public-repositories/main.ts'), ...args], { why: 'the trial of repositories' })
})
