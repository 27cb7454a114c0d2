// Starts a crashed server again. Plain JavaScript without dependencies, like the other set-up scripts.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverCommand } from '../apps/server/bin/server-command.mjs'
import { exitCodeOf, forwardSignals, say } from './run.mjs'

/** The pause before each start after a crash. If the server crashes again after the last one, it stays down. */
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000]
/** A server that has run this long has recovered: its next crash counts as the first. */
const RECOVERED_MS = 10 * 60_000

/**
 * Exit codes of intended ends: done, refused with a sentence (a setting, a port, a data folder in use), a wrong command
 * line, a second Ctrl-C.
 */
const MEANT = new Set([0, 1, 2, 130])
const ASKED = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])

/** Whether anything else ended it: a bug (70), the system (SIGKILL when memory ran out), V8 (SIGABRT). */
export const isCrash = (code, signal) => (signal === null ? !MEANT.has(code) : !ASKED.has(signal))

/**
 * Runs a server until it ends as intended, and starts it again after a crash. Passes signals on; after one, nothing is
 * started again. Resolves with the exit code of the last server.
 *
 * `command` is called for each start, with whether it is the first one, and returns `{ command, args, env, stdio }`.
 */
export async function supervise(command, { pausesMs = PAUSES_MS, recoveredMs = RECOVERED_MS } = {}) {
  const stop = new AbortController()
  let server = null
  const signals = forwardSignals((signal) => {
    stop.abort()
    server?.kill(signal)
  })
  let crashes = 0
  for (let first = true; ; first = false) {
    const startedAt = performance.now()
    const { command: program, args, env, stdio } = command(first)
    server = spawn(program, args, { env, stdio })
    const { code, signal, error } = await ended(server)
    server = null
    if (error) {
      say(`${program} could not be started: ${error.message}`)
      return 1
    }
    const exit = exitCodeOf(code, signal)
    if (stop.signal.aborted || !isCrash(code, signal)) return exit
    if (performance.now() - startedAt >= recoveredMs) crashes = 0
    const how = signal ?? `exit code ${code}`
    const pause = pausesMs[crashes++]
    if (pause === undefined) {
      say(`The server crashed (${how}), ${crashes} times in a row. It is not started again: see what it said above.`)
      return exit
    }
    say(`The server crashed (${how}). It is started again in ${pause / 1000} s; agents at work continue meanwhile.`)
    await sleep(pause, null, { signal: stop.signal }).catch(() => {})
    if (stop.signal.aborted) return exitCodeOf(null, signals.signal)
  }
}

/** Runs `beadloom start` with these arguments in this way. Resolves with the exit code of the last server. */
export function superviseServer(args) {
  return supervise((first) => {
    // `--json` promises one document: the address of a later server is in `server.json` in its data folder.
    const out = first || !args.includes('--json') ? 'inherit' : 'ignore'
    // The channel tells the server when we are gone, for any reason.
    return { ...serverCommand(['start', ...args], process.env), stdio: ['inherit', out, 'inherit', 'ipc'] }
  })
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
