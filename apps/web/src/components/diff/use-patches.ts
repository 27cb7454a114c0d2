import type { DiffFileView, PatchView } from '@beadloom/core/api.ts'
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { patchLines } from './patch-lines.ts'
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
  retry: 1,
})

const states = new WeakMap<PatchView, PatchState>()
const stateOf = (patch: PatchView): PatchState => {
  const known = states.get(patch)
  if (known) return known
  const state: PatchState = { is: 'here', lines: patchLines(patch.patch), cut: patch.truncated }
  states.set(patch, state)
  return state
}

/**
 * Patches of the files that are wanted, by their path. An observer for each of some hundred patches would be asked at
 * every row that comes into view, so each is read once, and what came is kept here.
 */
export function usePatches(
  wish: PatchWish,
  files: readonly DiffFileView[],
  wanted: ReadonlyMap<string, number | undefined>,
): { patches: ReadonlyMap<string, PatchState>; retry: (path: string) => void } {
  const queries = useQueryClient()
  const [found, setFound] = useState<ReadonlyMap<string, PatchState>>(() => new Map())
  const reading = useRef(new Set<string>())
  const { execution, from, to, ignoreSpace } = wish
  const asked = useMemo(
    () =>
      files
        .filter(({ path }) => wanted.has(path))
        .map((file) => {
          const query = queryOf({ execution, from, to, ignoreSpace }, file, wanted.get(file.path))
          return { path: file.path, query, key: hashKey(query.queryKey) }
        }),
    [files, wanted, execution, from, to, ignoreSpace],
  )
  const patches = useMemo(() => {
    const here = new Map<string, PatchState>()
    for (const { path, query, key } of asked) {
      const read = queries.getQueryData<PatchView>(query.queryKey)
      const state = read ? stateOf(read) : found.get(key)
      if (state) here.set(path, state)
    }
    return here
  }, [asked, found, queries])
  useEffect(() => {
    for (const { query, key } of asked) {
      if (found.has(key) || reading.current.has(key) || queries.getQueryData(query.queryKey) !== undefined) continue
      reading.current.add(key)
      void queries
        .fetchQuery(query)
        .then(stateOf, (error: unknown): PatchState => {
          return { is: 'failed', message: error instanceof Error ? error.message : String(error) }
        })
        .then((state) => {
          reading.current.delete(key)
          setFound((old) => new Map([...old, [key, state]]))
        })
    }
  }, [asked, found, queries])
  return {
    patches,
    retry: (path) => {
      const key = asked.find((one) => one.path === path)?.key
      setFound((old) => new Map([...old].filter(([one]) => one !== key)))
    },
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
