// `npm start`: from a fresh clone to a running server. Arguments go on to `beadloom start`.
import { spawn } from 'node:child_process'
import { serverCommand } from '../apps/server/bin/server-command.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { exitCodeOf, forwardSignals, main } from './run.mjs'

const ORPHAN_CHECK_MS = 1_000

await main(async () => {
  const args = process.argv.slice(2)
  await ensureDependencies()
  if (!args.includes('--help') && !args.includes('-h')) {
    await ensureBuilt()
    await ensureDocker()
  }
  // The channel tells the server when we are gone, however we went.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const { command, args: all, env } = serverCommand(['start', ...args], process.env)
  const server = spawn(command, all, { env, stdio })
  // The server decides when it is down; it takes the copies of one Ctrl-C (the terminal's, npm's, ours) for one.
  forwardSignals((signal) => server.kill(signal))
  // npm that is killed takes nobody with it; then the person who typed `npm start` would have a server that nobody sees.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || server.kill('SIGTERM'), ORPHAN_CHECK_MS).unref()
  server.on('error', (error) => {
    process.stderr.write(`${command} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  server.on('exit', (code, signal) => process.exit(exitCodeOf(code, signal)))
})
