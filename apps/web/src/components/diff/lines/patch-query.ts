import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import { getPatch } from '../../../api/endpoints.ts'

export type PatchWish = { execution: string; from: string | null; to: string | null; ignoreSpace: boolean }

/** The request for a file's patch, and its key in the cache. */
export const patchQuery = (
  { execution, from, to, ignoreSpace }: PatchWish,
  file: DiffFileView,
  context: number | undefined,
) => ({
  // By content instead of commit: after an update, patches of unchanged files are kept.
  queryKey: ['patch', from, file.path, file.oldPath, file.blob, ignoreSpace, context ?? null],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    getPatch(execution, file.path, signal, { from, to, ignoreSpace, ...(context === undefined ? {} : { context }) }),
  staleTime: Infinity,
  // People may read one diff for an hour.
  gcTime: 60 * 60_000,
  retry: 1,
})
