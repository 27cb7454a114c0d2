import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Every page that people read, by its path from the root. */
export const pages: readonly string[] = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The text below a heading, up to the next heading of its level or above. Throws when there is no such heading. */
export function section(page: string, heading: string): string {
  const lines = read(page).split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) throw new Error(`${page} has no heading "${heading}"`)
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 1
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => (/^(#+) /.exec(line)?.[1]?.length ?? Infinity) <= level)
  return rest.slice(0, end < 0 ? undefined : end).join('\n')
}

/** The names in code that the rows of a section's tables begin with, each once. */
export function rowsOf(page: string, heading: string): string[] {
  const cells = [...section(page, heading).matchAll(/^\| ([^|]*) \|/gm)].map(([, cell]) => cell ?? '')
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
  return [...new Set(names)].sort()
}
