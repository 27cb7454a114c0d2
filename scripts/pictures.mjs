// `node scripts/pictures.mjs`: takes the README's pictures again, of the demo on a server of its own.
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
  await run(node24, [join(root, 'test/e2e/stories/readme-pictures.ts')], { why: 'taking the pictures' })
})
