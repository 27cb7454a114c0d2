import type { DiffView, DiffFileView, BranchView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getDiff, getBranch } from '../../api/endpoints.ts'

/** The feed does not report pushes, so we ask about a running execution every few seconds while its diff is open. */
const LOOK_EVERY_MS = 5000

/** The commits being read: fixed, so that nothing moves under the reader. */
export type Pinned = { bead: string; execution: string; branch: string; from: string | null; to: string | null }

export type LiveDiff = {
  pinned: Pinned | null
  diff: DiffView | null
  error: Error | null
  /** The number of files changed since; null: the branch has not moved. */
  moved: number | null
  /** The diff that Update shows. */
  newest: { pinned: Pinned; diff: DiffView } | null
  update: () => void
  again: () => void
  busy: boolean
}

/** The diff of a bead's newest work as of the reader's arrival, and whether there is a newer one. */
export function useDiff(
  bead: string,
  execution: ExecutionView | null,
  range: { from: string; to: string } | null,
  ignoreSpace: boolean,
): LiveDiff {
  const [held, setHeld] = useState<Pinned | null>(null)
  const id = execution?.id ?? ''
  const tip = useQuery({
    queryKey: ['diff', id, 'tip'],
    queryFn: ({ signal }) => getDiff(id, signal),
    enabled: execution !== null,
    refetchInterval: execution === null || isTerminal(execution.state) ? false : LOOK_EVERY_MS,
  })
  const news = `${execution?.state} ${execution?.sessions.length} ${execution?.verifications.length}`
  const { refetch } = tip
  const heard = useRef(news)
  useEffect(() => {
    if (heard.current === news || id === '') return
    heard.current = news
    void refetch()
  }, [news, id, refetch])

  const newest =
    execution && tip.data
      ? {
          pinned: { bead, execution: id, branch: execution.branch, from: tip.data.from, to: tip.data.to },
          diff: tip.data,
        }
      : null
  // Held until Update; an empty diff is replaced at once, because the reader loses nothing.
  const stale = held === null || held.bead !== bead || held.to === null || held.to === held.from
  const pinned = stale && newest ? newest.pinned : held?.bead === bead ? held : null
  if (pinned !== held && pinned !== null && (held === null || !same(pinned, held))) setHeld(pinned)

  const from = range?.from ?? pinned?.from ?? null
  const to = range?.to ?? pinned?.to ?? null
  const isTip = newest !== null && !ignoreSpace && from === newest.diff.from && to === newest.diff.to
  const list = useQuery({
    queryKey: ['diff', pinned?.execution, from, to, ignoreSpace],
    queryFn: ({ signal }) => getDiff(pinned?.execution ?? '', signal, { from, to, ignoreSpace }),
    enabled: pinned !== null && from !== null && to !== null && !isTip,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  // The list stays readable when the tip moves on.
  const [last, setLast] = useState<{ key: string; diff: DiffView } | null>(null)
  const key = `${from} ${to} ${ignoreSpace}`
  const fresh = isTip ? newest.diff : list.isPlaceholderData ? null : (list.data ?? null)
  if (fresh && (last?.key !== key || last.diff !== fresh)) setLast({ key, diff: fresh })
  const here = fresh ?? (last?.key === key ? last.diff : (last?.diff ?? null))
  const diff = pinned === null ? null : from === null || to === null ? { from, to, files: [] } : here
  // A new execution that has not pushed yet is no news.
  const isNews = newest !== null && newest.diff.to !== null && newest.diff.to !== newest.diff.from
  const behind = range === null && isNews && pinned !== null && !same(newest.pinned, pinned)
  return {
    pinned,
    diff,
    error: tip.error && tip.data === undefined ? tip.error : list.error,
    moved: behind && diff ? changedFiles(diff.files, newest.diff.files) : null,
    newest,
    update: () => newest && setHeld(newest.pinned),
    again: () => void (list.error ? list : tip).refetch(),
    busy: tip.isFetching || list.isFetching,
  }
}

const same = (one: Pinned, other: Pinned): boolean =>
  one.bead === other.bead && one.execution === other.execution && one.from === other.from && one.to === other.to

/** The number of files that differ between the lists: changed again, newly changed, or no longer changed. */
export function changedFiles(one: readonly DiffFileView[], other: readonly DiffFileView[]): number {
  const rest = new Map(other.map(({ path, blob, status }) => [path, `${blob} ${status}`]))
  let changed = 0
  for (const { path, blob, status } of one) {
    if (rest.get(path) !== `${blob} ${status}`) changed++
    rest.delete(path)
  }
  return changed + rest.size
}

/** The commits of a branch as of `tip`, and their conflicts; null while unknown. */
export function useBranch(
  execution: ExecutionView | null,
  tip: string | null,
): { branch: BranchView | null; loading: boolean } {
  const id = execution?.id ?? ''
  const { data, isLoading } = useQuery({
    queryKey: ['diff', id, 'commits', tip, execution?.state],
    queryFn: ({ signal }) => getBranch(id, signal),
    enabled: execution !== null && tip !== null,
    staleTime: Infinity,
    // The menu does not disappear and reappear while the branch moves.
    placeholderData: (before: BranchView | undefined, query) => (query?.queryKey[1] === id ? before : undefined),
  })
  return { branch: data ?? null, loading: isLoading }
}
