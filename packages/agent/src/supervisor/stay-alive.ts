import { writeSync } from 'node:fs'

/**
 * Signals that a program in the sandbox may send to every process that it takes for its own (`pkill node`, `kill --
 * -1`). SIGUSR1 is here because Node opens its debugger for it, and a debugger gives full control of this process.
 * SIGKILL and SIGSTOP cannot be refused; after a SIGKILL process 1 starts the next supervisor.
 */
const ignored: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGVTALRM',
  'SIGPROF',
  'SIGXCPU',
  'SIGIO',
  'SIGSTKFLT',
]
/** 128 + SIGTERM: the container was asked to stop. Process 1 takes it for the end. */
export const STOPPED = 143
/** A bug of ours. Process 1 starts the next supervisor. */
const CRASHED = 70
/** `docker stop` gives ten seconds; what is left of them is for noting the end. */
const GRACE_MS = 8000

/** Keeps this process alive for every signal but a stop by process 1, and makes it hard to find. */
export function stayAlive(stopAll: (graceMs: number) => Promise<void>): void {
  process.title = 'beadloom-supervisor' // `pkill node` and `killall node` mean another program
  for (const signal of ignored) process.on(signal, () => {})
  process.once('SIGPWR', () => {
    say('The container was asked to stop: ending its session.')
    void stopAll(GRACE_MS).finally(() => process.exit(STOPPED))
  })
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      say(error instanceof Error ? (error.stack ?? error.message) : String(error))
      process.exit(CRASHED)
    })
  }
}

/**
 * Writes a line to the engine's log, which has nothing else: it tells why a supervisor died. Never use
 * `process.stderr`: its getter can throw while the link has the standard streams.
 */
export function say(line: string): void {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // nobody reads it, or it is full: a message about it would not arrive either
  }
}
