#!/usr/bin/env node
// Finds the Node that Beadloom runs on, whatever started this file. Without arguments it does what `npm start` does.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isRelease, node24, root, serverCommand } from './server-command.mjs'

const args = process.argv.slice(2)
const isReady = node24() !== null
// In a checkout that is what sets everything up.
if (args.length === 0 && (isReady || !isRelease)) await import('../../../scripts/start.mjs')
else if (!isReady) {
  process.stderr.write(
    isRelease
      ? `Beadloom runs on Node 24, and this is ${process.versions.node}. npm brings it along for Linux, unless it leaves out optional packages: install Beadloom again without --omit=optional, or run it with Node 24.\n`
      : `Beadloom is not set up yet: run "npm start" once in ${root}.\n`,
  )
  process.exitCode = 1
} else run()

function run() {
  // The channel tells a server when we are gone, however we went.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const { command, args: all, env } = serverCommand(args, process.env)
  const child = spawn(command, all, { env, stdio })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', ({ code }) => {
    process.stderr.write(
      `beadloom: Node could not be started (${code}): this machine may not open more files or start more programs now. Raise the limit (ulimit -n), or end other programs.\n`,
    )
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}
