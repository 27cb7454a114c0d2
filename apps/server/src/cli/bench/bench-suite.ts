import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { constants } from 'node:os'
import { root } from '../../process/own-files.ts'
import { CliError, exitCode } from '../exit-code.ts'

/** The suite prints this with `--json` (test/verdicts/summary.ts). */
export type Summary = {
  /** Pieces of work that are not done, and how many of them were still COMPLETED. */
  wrong: { tried: number; passed: number }
  /** Pieces of work that are done, and how many of them were refused. */
  right: { tried: number; refused: number }
  /** Not tried yet. */
  left: number
  false: { id: string; state: string; reason: string | null }[]
}

const script = join(root, 'scripts', 'verdicts.mjs')
const EDGES = ['SIGTERM', 'SIGHUP'] as const

/**
 * Runs the suite to its end; its progress goes to standard error.
 *
 * @throws CliError if there is no suite, or it failed
 */
export async function runSuite(args: readonly string[], file = script): Promise<Summary> {
  if (!existsSync(file))
    throw new CliError('only a checkout of Beadloom can run the sets. Clone its repository and run this there.')
  const child = spawn(process.execPath, [file, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal)
  const ignored = (): void => {} // Ctrl-C reaches the suite as well, and ends it
  process.on('SIGINT', ignored)
  for (const signal of EDGES) process.on(signal, stop)
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...ended) => resolve(ended))
  })
  process.off('SIGINT', ignored)
  for (const name of EDGES) process.off(name, stop)
  const exit = code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)
  if (exit === exitCode.interrupted) throw new CliError('interrupted. Run the same command again to continue.', exit)
  // The suite has said why.
  if (exit !== 0) throw new CliError('the set was not tried.', exit === exitCode.usage ? exit : exitCode.failed)
  return JSON.parse(out) as Summary
}
