import { isObject } from '../text/json-object.ts'
import type { CallArguments } from './call-arguments.ts'
import { inRepository } from './in-repository.ts'
import { patchDiff, type SmallDiff } from './small-diff.ts'

/** One file of a patch. `diff` null: the log does not have all of it. */
export type PatchedFile = {
  from: string
  file: string
  counts: { added: number; removed: number } | null
  diff: SmallDiff | null
}

const MOST_FILES = 64

/** The files of Codex's patch; if the document is incomplete, only the paths. */
export function patchedFiles({ values, text, whole }: CallArguments): PatchedFile[] {
  const { changes, diffs } = values
  if (!Array.isArray(changes))
    return Array.from(text.matchAll(/"path"\s*:\s*"([^"\\]{1,300})"/g), ([, path = '']) => onlyPath(path))
  return changes.slice(0, MOST_FILES).flatMap((one: unknown, at) => {
    if (!isObject(one) || typeof one['path'] !== 'string' || one['path'] === '') return []
    const { path, to, added, removed } = one
    const diff: unknown = Array.isArray(diffs) && whole ? diffs[at] : null
    return [
      {
        from: inRepository(path as string),
        file: inRepository(typeof to === 'string' ? to : (path as string)),
        counts: isCount(added) && isCount(removed) ? { added, removed } : null,
        diff: typeof diff === 'string' ? patchDiff(diff) : null,
      },
    ]
  })
}

const onlyPath = (path: string): PatchedFile => ({
  from: inRepository(path),
  file: inRepository(path),
  counts: null,
  diff: null,
})

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** `old → new` for a file that was moved. */
export const patchedName = ({ from, file }: PatchedFile): string => (from === file ? file : `${from} → ${file}`)

/** A whole patch as one small diff, each file below its name if there are several; null if no counts are known. */
export function wholePatch(files: readonly PatchedFile[]): SmallDiff | null {
  if (files.length === 0 || files.some(({ counts }) => counts === null)) return null
  const sum = (what: 'added' | 'removed') => files.reduce((all, { counts }) => all + (counts?.[what] ?? 0), 0)
  const lines = files.flatMap((one): SmallDiff['lines'] => {
    const name = { kind: 'file' as const, text: patchedName(one) }
    const missing = { kind: 'note' as const, text: 'Too long to be kept here. The Diff tab has it.' }
    return [...(files.length > 1 ? [name] : []), ...(one.diff?.lines ?? [missing])]
  })
  return { added: sum('added'), removed: sum('removed'), lines }
}
