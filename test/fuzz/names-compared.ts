import { fileOf } from '@beadloom/core/verdict/names.ts'
import type { Declared, TouchedFile } from '@beadloom/core/verdict/touched.ts'
import { verdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'

/**
 * Each line names a test that ran before, and every other one did not run now. Or it is a test that the change removes
 * from a file or adds to it: "- src/a.test.ts adds". A file to which nothing is added is deleted.
 */
export function namesCompared(text: string): unknown {
  const lines = text.split('\n')
  const touched = filesTouched(lines)
  const names = [...new Set(lines.filter((line) => !CHANGED.test(line)))]
  const runOf = (kept: readonly string[], tool = 'jest') => ({
    tool,
    failures: 0,
    ran: kept.length,
    passed: kept.length,
    units: kept.map((name): [string, number] => [name, 1]),
    unrun: kept,
    stopped: false,
  })
  const [base, now] = [[runOf(names)], [runOf(names.filter((_, at) => at % 2 === 0))]]
  const missing = verdictReadings.missing(base, now)
  const paths = names.map((name) => fileOf(name)?.file ?? name)
  const about = { touched, paths, folder: '', base, now }
  return [
    verdictReadings.missing(base, [runOf(now[0]?.units.map(([name]) => name) ?? [], 'vitest')]),
    verdictReadings.unexplained(missing, about),
    verdictReadings.unrun(base, now),
  ]
}

const CHANGED = /^([-+]) (\S+) (.+)$/

function filesTouched(lines: readonly string[]): TouchedFile[] {
  const found = new Map<string, { removed: Declared[]; added: Declared[] }>()
  for (const line of lines) {
    const [, sign, path = '', title = ''] = CHANGED.exec(line) ?? []
    if (sign === undefined) continue
    const file = found.get(path) ?? { removed: [], added: [] }
    found.set(path, file)
    file[sign === '-' ? 'removed' : 'added'].push({ title, parts: null })
  }
  return [...found].map(([path, { removed, added }]) => ({
    path,
    former: null,
    deleted: added.length === 0,
    removed,
    added,
    skipped: [],
    rows: 0,
    documented: new Set<string>(),
    examples: false,
  }))
}
