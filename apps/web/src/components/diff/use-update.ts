import { useState } from 'react'
import type { DiffFiles } from './files/use-diff-files.ts'
import type { LiveDiff } from './use-diff.ts'
import { useReadAhead } from './lines/use-patches.ts'
import type { DiffRow } from './lines/diff-rows.ts'

/** Rows before and after the reader's whose files are read again before anything is shown. */
const [BEFORE, AFTER] = [60, 120]

/** Shows the newest state of the branch once the patches around the reader are loaded, so that nothing shifts. */
export function useUpdate(
  live: LiveDiff,
  files: DiffFiles,
  rows: readonly DiffRow[],
  ignoreSpace: boolean,
): { updating: boolean; update: (place: number) => Promise<void> } {
  const [updating, setUpdating] = useState(false)
  const readAhead = useReadAhead()
  const update = async (place: number) => {
    if (live.newest === null || live.moved === null) return
    setUpdating(true)
    const { shapes, wanted } = files
    const { diff, pinned } = live.newest
    const near = new Set(
      rows.slice(Math.max(0, place - BEFORE), place + AFTER).flatMap(({ file }) => shapes[file]?.file.path ?? []),
    )
    const same = new Set(diff.files.map(({ path, blob }) => `${blob} ${path}`))
    const known = shapes.filter(({ file }) => same.has(`${file.blob} ${file.path}`)).map(({ file }) => file.path)
    await readAhead(
      { execution: pinned.execution, from: diff.from, to: diff.to, ignoreSpace },
      diff.files.filter(({ path }) => near.has(path) && wanted.has(path)),
      wanted,
    )
    files.keep(new Set([...near, ...known]))
    setUpdating(false)
    live.update()
  }
  return { updating, update }
}
