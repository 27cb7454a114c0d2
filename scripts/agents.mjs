// `npm run test:agents`: sets up the tests of the real agents, then runs them for all agents, or for the named ones.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { main, node24, root, run, say } from './run.mjs'
import { AGENTS } from './suites.mjs'

await main(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    return say(
      'npm run test:agents [-- [--exec] NAME …]: installs Codex, Claude Code, opencode and pi in images (about 1 GB from the npm registry, once) and lets each of them work on beads, plan one and do it in phases, and review, with the scripted model, and with endpoints that fail. Fifteen minutes for all. At the end it says how old the tested versions are. NAME: codex, claude, opencode, pi. --exec: they reach the server through the engine alone, as where it is on another machine.',
    )
  }
  await ensureDependencies()
  await ensureBuilt()
  await ensureDocker()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const names = args.filter((word) => word !== '--exec')
  const env = {
    ...process.env,
    ...(args.includes('--exec') && { CARRIER: 'exec' }),
    AGENTS: names.length > 0 ? names.join(',') : (process.env['AGENTS'] ?? 'all'),
  }
  // The files are in two projects: some take longer than others.
  const what = ['run', '--project', 'flow', '--project', 'flow-long', ...AGENTS]
  try {
    await run(node24, [vitest, ...what], { env, why: 'the tests of the agents' })
  } finally {
    say('')
    await run(node24, [join(root, 'scripts/agent-versions.mjs')], { why: 'the age of the tested versions' })
  }
})
