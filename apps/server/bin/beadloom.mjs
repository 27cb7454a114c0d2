#!/usr/bin/env node
// The sources are TypeScript that Node 24 runs as they are; this file finds that Node, whatever started it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { node24, root, serverCommand } from './server-command.mjs'

if (!existsSync(node24)) {
  process.stderr.write(`Beadloom is not set up yet: run "npm start" once in ${root}.\n`)
  process.exit(1)
}
// The channel tells a server when we are gone, however we went.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
const { command, args, env } = serverCommand(process.argv.slice(2), process.env)
const child = spawn(command, args, { env, stdio })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
