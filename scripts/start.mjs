// `npm start`, and `beadloom` without arguments: from a fresh clone or a release to a running server. Passes its
// arguments to `beadloom start`.
import { isRelease } from '../apps/server/bin/server-command.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { main } from './run.mjs'
import { superviseServer } from './supervise.mjs'

const ORPHAN_CHECK_MS = 1_000

await main(async () => {
  const args = process.argv.slice(2)
  const onlyHelp = args.includes('--help') || args.includes('-h')
  if (!isRelease) {
    const { ensureDependencies } = await import('./dependencies.mjs')
    await ensureDependencies()
    const { ensureBuilt } = await import('./build.mjs')
    if (!onlyHelp) await ensureBuilt()
  }
  if (!onlyHelp) await ensureDocker()
  // A killed npm ends no other process: without this, the person who typed `npm start` would have an invisible server.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), ORPHAN_CHECK_MS).unref()
  // The server decides when it is down; it counts the copies of one Ctrl-C (the terminal's, npm's, ours) as one.
  process.exit(await superviseServer(args))
})
