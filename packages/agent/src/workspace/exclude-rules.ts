import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Git } from './git.ts'

/**
 * `bd` 1.3 leaves these files beside those that it guards, for ever; only `bd doctor --fix` makes a project ignore
 * them.
 */
export const GATE_LOCKS = ['.beads.gate.lock', '**/.beads/*.gate.lock']

/**
 * Adds rules by which git ignores files in this workspace alone, whatever the project's own rules say; each rule once.
 */
export async function addExcludeRules(git: Git, rules: readonly string[]): Promise<void> {
  const file = join(git.directory, 'info', 'exclude')
  const known = new Set((await readFile(file, 'utf8').catch(() => '')).split('\n'))
  const missing = rules.filter((rule) => !known.has(rule))
  if (missing.length === 0) return
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `\n${missing.join('\n')}\n`)
}
