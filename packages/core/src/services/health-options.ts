import { commandWords } from './command-words.ts'

export type HealthOptions = { health: string | null; unknown: string[] }

/** Options for interval and time of the health check; Beadloom chooses these itself. */
const IGNORED = new Set(['--health-interval', '--health-timeout', '--health-retries', '--health-start-period'])

/** `--health-cmd "pg_isready -U x" --health-interval 10s`; everything else is for the engine, and not passed on. */
export function readOptions(options: string): HealthOptions {
  const words = commandWords(options)
  if (words === null) return { health: null, unknown: ['a quote that is not closed'] }
  const unknown: string[] = []
  let health: string | null = null
  for (let at = 0; at < words.length; at++) {
    const [name = '', ...given] = words[at]!.split('=')
    const own = name === '--health-cmd' || IGNORED.has(name)
    if (!own) {
      unknown.push(name)
      // The next word is its value.
      if (given.length === 0 && words[at + 1]?.startsWith('-') === false) at++
      continue
    }
    const value = given.length > 0 ? given.join('=') : words[++at]
    if (name === '--health-cmd') health = value ?? null
  }
  return { health, unknown }
}
