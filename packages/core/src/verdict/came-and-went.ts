import type { ToolTests } from '../digest/tests-run.ts'
import { baseOf, fileOf, isSamePath } from './names.ts'
import type { Declared, TouchedFile } from './touched.ts'

/** Files of one name that are told apart. */
const MOST_OF_A_NAME = 50

/** Leaves out tests whose first line is only rewritten. */
export function withoutBoth({ removed, added }: TouchedFile): { removed: Declared[]; added: Declared[] } {
  const open = new Map<string, number>()
  for (const { title } of added) open.set(title, (open.get(title) ?? 0) + 1)
  const left = removed.filter(({ title }) => {
    const count = open.get(title) ?? 0
    if (count > 0) open.set(title, count - 1)
    return count === 0
  })
  const fresh = new Map(open)
  return {
    removed: left,
    added: added.filter(({ title }) => {
      const count = fresh.get(title) ?? 0
      if (count > 0) fresh.set(title, count - 1)
      return count > 0
    }),
  }
}

/** The number of tests that a file gained with the change, by the names of files and classes. */
export function arrivals({ base, now }: Record<'base' | 'now', readonly ToolTests[]>): (path: string) => number {
  const more = new Map<string, { name: string; count: number }[]>()
  for (const { tool, units, ran } of now) {
    const before = new Map(base.filter((one) => one.tool === tool).flatMap((one) => one.units))
    const coarse = ran === null || units.reduce((sum, [, count]) => sum + count, 0) < ran
    for (const [name, count] of units) {
      const file = fileOf(name)
      const key = file === null ? (name.split('$', 1)[0]?.split('.').at(-1) ?? name) : baseOf(file.file)
      // If the output names only the file, the number of additional tests is unknown.
      const added = coarse ? count : count - (before.get(name) ?? 0)
      if (added <= 0) continue
      const known = more.get(key) ?? []
      more.set(key, known)
      if (known.length < MOST_OF_A_NAME)
        known.push({ name: file === null ? '' : file.file, count: coarse ? Infinity : added })
    }
  }
  return (path) => {
    const found = [...(more.get(baseOf(path)) ?? []), ...(more.get(baseOf(path).replace(/\.\w+$/, '')) ?? [])]
    return found.reduce((sum, { name, count }) => (name === '' || isSamePath(path, name) ? sum + count : sum), 0)
  }
}
