import type { DiffFileView, PatchView } from '@beadloom/core/api/executions/diff-api.ts'
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { patchLines } from './patch-lines.ts'
import { patchQuery, type PatchWish } from './patch-query.ts'
import type { PatchState } from './diff-rows.ts'
import { useOnReturn } from '../../../feed/feed-context.tsx'

/** Patches that arrive within this time are shown together. */
const TOGETHER_MS = 50

const states = new WeakMap<PatchView, PatchState>()
const stateOf = (patch: PatchView): PatchState => {
  const known = states.get(patch)
  if (known) return known
  const state: PatchState = { is: 'here', lines: patchLines(patch.patch), cut: patch.truncated }
  states.set(patch, state)
  return state
}

/**
 * Patches of the wanted files, by path. Hundreds of query observers would all be updated for every row that comes into
 * view, so each patch is read once and kept here.
 */
export function usePatches(
  wish: PatchWish,
  files: readonly DiffFileView[],
  wanted: ReadonlyMap<string, number | undefined>,
): { patches: ReadonlyMap<string, PatchState>; retry: (path: string) => void } {
  const queries = useQueryClient()
  const [found, setFound] = useState<ReadonlyMap<string, PatchState>>(() => new Map())
  const reading = useRef(new Set<string>())
  const arrive = useArrivals(setFound)
  const { execution, from, to, ignoreSpace } = wish
  const asked = useMemo(
    () =>
      files
        .filter(({ path }) => wanted.has(path))
        .map((file) => {
          const query = patchQuery({ execution, from, to, ignoreSpace }, file, wanted.get(file.path))
          return { path: file.path, query, key: hashKey(query.queryKey) }
        }),
    [files, wanted, execution, from, to, ignoreSpace],
  )
  useOnReturn(() => setFound((old) => new Map([...old].filter(([, state]) => state.is !== 'failed'))))
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
          arrive(key, state)
        })
    }
  }, [asked, found, queries, arrive])
  return {
    patches,
    retry: (path) => {
      const key = asked.find((one) => one.path === path)?.key
      setFound((old) => new Map([...old].filter(([one]) => one !== key)))
    },
  }
}

/** Shows patches that arrive within a moment together: each time, the rows of the whole diff are built again. */
function useArrivals(setFound: Dispatch<SetStateAction<ReadonlyMap<string, PatchState>>>) {
  const waiting = useRef<[string, PatchState][]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
  return useCallback(
    (key: string, state: PatchState) => {
      const show = () => {
        const come = waiting.current.splice(0)
        timer.current = come.length === 0 ? null : setTimeout(show, TOGETHER_MS)
        if (come.length > 0) setFound((old) => new Map([...old, ...come]))
      }
      waiting.current.push([key, state])
      // The first patch is shown at once.
      if (timer.current === null) show()
    },
    [setFound],
  )
}

/** Reads patches before they are shown, so that an update does not shift the text being read. Failures show later. */
export function useReadAhead(): (
  wish: PatchWish,
  files: readonly DiffFileView[],
  wanted: ReadonlyMap<string, number | undefined>,
) => Promise<void> {
  const queries = useQueryClient()
  return async (wish, files, wanted) => {
    await Promise.allSettled(files.map((file) => queries.fetchQuery(patchQuery(wish, file, wanted.get(file.path)))))
  }
}
