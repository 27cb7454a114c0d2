// Helpers of the set-up scripts. Plain JavaScript without dependencies: these run before anything is installed, on any
// Node from version 20 on.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Node 24, from the `node` package of the workspace: it runs the TypeScript sources directly. */
export const node24 = join(root, 'node_modules', 'node', 'bin', 'node')

/** Prints a sentence for the person at the terminal; `Stop` also says what to do. */
export const say = (text) => process.stderr.write(`${text}\n`)

export class Stop extends Error {}

/** Ends the script with a sentence instead of a stack. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    say(`\n${error.message}`)
    process.exitCode = 1
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** The exit code, as a shell reports it for a process that a signal ended. */
export const exitCodeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0)

/** The shown length of a failing command's output: its end. All of it could be megabytes. */
const SHOWN_CHARACTERS = 64 * 1024

/**
 * Runs a command to its end. `quiet` keeps its output back and shows it only after a failure. Resolves with its
 * standard output when quiet; rejects with `Stop` if it does not end with 0. A signal to us ends the command with
 * everything that it started, then us.
 */
export function run(command, args, { quiet = false, env = process.env, cwd = root, why = '', fix = '' } = {}) {
  return new Promise((resolve, reject) => {
    // A quiet command gets a process group of its own, so that everything it started (npx, pnpm, compilers) ends with
    // it.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: quiet,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    const stop = forwardSignals((signal) => (quiet ? process.kill(-child.pid, signal) : child.kill(signal)))
    let out = ''
    let all = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => ((out += text), (all += text)))
    child.stderr?.setEncoding('utf8').on('data', (text) => (all += text))
    child.on('error', (error) => {
      stop.listening()
      reject(new Stop(`${command} could not be started: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      stop.listening()
      if (stop.signal) process.exit(exitCodeOf(null, stop.signal))
      if (code === 0) return resolve(out)
      if (quiet) say(all.slice(-SHOWN_CHARACTERS).trimEnd())
      const ended = `${why || [command, ...args].join(' ')} failed (${signal ?? `exit code ${code}`})`
      reject(new Stop(fix ? `${ended}.\n${fix}` : ended))
    })
  })
}

/** Passes signals on until `listening()` is called; `signal` is the last one that came. */
export function forwardSignals(kill) {
  const state = { signal: null, listening: () => SIGNALS.forEach((signal) => process.off(signal, forward)) }
  function forward(signal) {
    state.signal = signal
    try {
      kill(signal)
    } catch {
      // it has ended already
    }
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  return state
}

/** Whether a command can be found. */
export function has(command) {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}

/** Installs packages of Debian or Ubuntu, as root; waits patiently for a slow mirror or another apt. */
export async function aptInstall(packages, why) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=120']
  const fix = `Install ${packages.join(' and ')} by hand, then try again.`
  await run('apt-get', ['update', ...options], { quiet: true, env, why: `${why}: apt-get update`, fix })
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...options, ...packages], {
    quiet: true,
    env,
    why,
    fix,
  })
}

/**
 * Node trusts only its own certificates. If an administrator added some to the system (a company's proxy), or named a
 * bundle for other programs, this tells npm and pnpm about it.
 */
export function trustingEnv(env = process.env) {
  if (env.NODE_EXTRA_CA_CERTS) return env
  const system = '/etc/ssl/certs/ca-certificates.crt'
  const added =
    existsSync('/usr/local/share/ca-certificates') && readdirSync('/usr/local/share/ca-certificates').length > 0
  const bundle = env.SSL_CERT_FILE || (added && existsSync(system) ? system : null)
  return bundle ? { ...env, NODE_EXTRA_CA_CERTS: bundle } : env
}
