import type { DiffFileView, PatchView } from '@beadloom/core/api.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { patchLines, type PatchLine } from './patch-lines.ts'
import type { PatchState } from './diff-rows.ts'
import { getPatch } from '../../api/endpoints.ts'

export type PatchWish = { execution: string; from: string | null; to: string | null; ignoreSpace: boolean }

const queryOf = ({ execution, from, to, ignoreSpace }: PatchWish, file: DiffFileView, context: number | undefined) => ({
  // Not of the commit but of the content: who updates keeps every patch of a file that is the same.
  queryKey: ['patch', from, file.path, file.oldPath, file.blob, ignoreSpace, context ?? null],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    getPatch(execution, file.path, signal, { from, to, ignoreSpace, ...(context === undefined ? {} : { context }) }),
  staleTime: Infinity,
  // A diff that is read for an hour is read to its end.
  gcTime: 60 * 60_000,
})

const parsed = new WeakMap<PatchView, readonly PatchLine[]>()
const linesOf = (patch: PatchView): readonly PatchLine[] => {
  const known = parsed.get(patch)
  if (known) return known
  const lines = patchLines(patch.patch)
  parsed.set(patch, lines)
  return lines
}

/** Patches of the files that are wanted, by their path. */
export function usePatches(
  wish: PatchWish,
  files: readonly DiffFileView[],
  wanted: ReadonlyMap<string, number | undefined>,
): { patches: ReadonlyMap<string, PatchState>; retry: (path: string) => void } {
  const asked = files.filter(({ path }) => wanted.has(path))
  const results = useQueries({ queries: asked.map((file) => queryOf(wish, file, wanted.get(file.path))) })
  const patches = new Map<string, PatchState>()
  for (const [at, file] of asked.entries()) {
    const { data, error } = results[at] ?? {}
    if (data) patches.set(file.path, { is: 'here', lines: linesOf(data), cut: data.truncated })
    else if (error) patches.set(file.path, { is: 'failed', message: error.message })
  }
  return {
    patches,
    retry: (path) => void results[asked.findIndex((file) => file.path === path)]?.refetch(),
  }
}

/** Reads patches ahead of their showing, so that an update does not shift what is read. Failures show later. */
export function useReadAhead(): (
  wish: PatchWish,
  files: readonly DiffFileView[],
  wanted: ReadonlyMap<string, number | undefined>,
) => Promise<void> {
  const queries = useQueryClient()
  return async (wish, files, wanted) => {
    await Promise.allSettled(files.map((file) => queries.fetchQuery(queryOf(wish, file, wanted.get(file.path)))))
  }
}
