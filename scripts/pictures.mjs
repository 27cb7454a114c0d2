// `node scripts/pictures.mjs [--animation]`: retakes the README's pictures, or its animation, of the demo on a server
// of its own.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { main, node24, root, run } from './run.mjs'

await main(async () => {
  await ensureDependencies()
  await ensureBuilt()
  await ensureDocker()
  await ensureChromium()
  const args = [join(root, 'test/e2e/stories/readme-pictures.ts'), ...process.argv.slice(2)]
  await run(node24, args, { why: 'taking the pictures' })
})
