// `node scripts/stories.mjs [WORD …]`: takes a picture of every state of every screen, with made-up data; words choose
// some.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { main, node24, root, run } from './run.mjs'

await main(async () => {
  await ensureDependencies()
  await ensureBuilt()
  await ensureChromium()
  const args = [join(root, 'test/e2e/stories/take-pictures.ts'), ...process.argv.slice(2)]
  await run(node24, args, { why: 'taking the pictures' })
})
