import { patchLines, type ChangedFile } from './patch.ts'
import { isSnapshot, isTestFile } from '../files/names-of-tests.ts'

/** An entry in a file of several snapshots: Jest's and Vitest's, or Syrupy's. */
const entry = /^(?:exports\[`(.{1,500})`\]|# name: (.{1,500})$)/

/**
 * Lost snapshots whose tests are still there: their runner writes new ones from the code's current results, and passes.
 * One sentence for each file.
 */
export function lostSnapshots(files: readonly ChangedFile[], nameOf: (path: string) => string): string[] {
  return [...lostFiles(files, nameOf), ...emptiedInline(files, nameOf)]
}

/** The run itself writes the text of `toMatchInlineSnapshot()`. */
const INLINE = /\b(?:toMatch|toThrowErrorMatching)InlineSnapshot\((.*)$/

function emptiedInline(files: readonly ChangedFile[], nameOf: (path: string) => string): string[] {
  return files.flatMap((file) => {
    if (file.status === 'A' || file.status === 'D' || !isTestFile(file.path)) return []
    const [went, came] = (['-', '+'] as const).map((sign) =>
      patchLines(file.patch).flatMap((line) => (line.sign === sign ? (INLINE.exec(line.plain)?.[1] ?? []) : [])),
    )
    const count = came?.filter((rest) => rest.startsWith(')')).length ?? 0
    const lost = Math.min(count, went?.filter((rest) => !rest.startsWith(')')).length ?? 0)
    return lost > 0 ? [`${nameOf(file.path)} lost ${lost} ${lost > 1 ? 'snapshots' : 'snapshot'}`] : []
  })
}

function lostFiles(files: readonly ChangedFile[], nameOf: (path: string) => string): string[] {
  const snapshots = files.filter(({ path }) => isSnapshot(path))
  if (snapshots.length === 0 || files.some(comparesLess)) return []
  const lines = snapshots.map((file) => patchLines(file.patch))
  const added = new Set(lines.flatMap((some) => entriesOf(some, '+')))
  return snapshots.flatMap((file, at) => {
    const name = nameOf(file.path)
    if (file.status === 'D') {
      const moved = entriesOf(lines[at] ?? [], '-')
      return moved.length > 0 && moved.every((one) => added.has(one)) ? [] : [`${name}, a snapshot, was deleted`]
    }
    const lost = entriesOf(lines[at] ?? [], '-').filter((one) => !added.has(one))
    return lost.length > 0 ? [`${name} lost ${lost.length} ${lost.length > 1 ? 'snapshots' : 'snapshot'}`] : []
  })
}

const entriesOf = (lines: ReturnType<typeof patchLines>, sign: '+' | '-'): string[] =>
  lines.flatMap((line) => {
    const [, jest, syrupy] = (line.sign === sign && entry.exec(line.plain)) || []
    return jest ?? syrupy ?? []
  })

/** Whether a test is gone, renamed or no longer compares: its snapshot goes with it, and other rules look at that. */
const comparesLess = ({ path, status, patch }: ChangedFile): boolean =>
  !isSnapshot(path) &&
  (isTestFile(path) || path.endsWith('.rs')) &&
  (status === 'D' ||
    status === 'R' ||
    /^-.*(?:[sS]napshot|[aA]pprov|[vV]erif|^-\s*(?:it|test|def test)\b)/m.test(patch))
