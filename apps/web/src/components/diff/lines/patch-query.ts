import type { DiffFileView } from '@beadloom/core/api/diff-api.ts'
import { getPatch } from '../../../api/endpoints.ts'

export type PatchWish = { execution: string; from: string | null; to: string | null; ignoreSpace: boolean }

/** How a file's patch is asked for, and what it is kept by. */
export const patchQuery = (
  { execution, from, to, ignoreSpace }: PatchWish,
  file: DiffFileView,
  context: number | undefined,
) => ({
  // Not of the commit but of the content: who updates keeps every patch of a file that is the same.
  queryKey: ['patch', from, file.path, file.oldPath, file.blob, ignoreSpace, context ?? null],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    getPatch(execution, file.path, signal, { from, to, ignoreSpace, ...(context === undefined ? {} : { context }) }),
  staleTime: Infinity,
  // A diff that is read for an hour is read to its end.
  gcTime: 60 * 60_000,
  retry: 1,
})
