import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import css from '../diff-bar.module.css'
import { foldReason } from '../lines/fold-reason.ts'
import { patchQuery } from '../lines/patch-query.ts'
import { getDiff } from '../../../api/endpoints.ts'
import { whenIdle } from '../../../ui/lazy-part.ts'
import { LineChange } from '../../../ui/line-change.tsx'

/** The size of a bead's changes in two numbers; nothing if nothing changed. */
export function DiffTotals({ execution }: { execution: ExecutionView }) {
  const { data, refetch } = useQuery({
    queryKey: ['diff', execution.id, 'tip'],
    queryFn: ({ signal }) => getDiff(execution.id, signal),
    staleTime: 30_000,
  })
  // The branch may move when a session begins or ends.
  const news = `${execution.state} ${execution.sessions.length}`
  const heard = useRef(news)
  useEffect(() => {
    if (heard.current === news) return
    heard.current = news
    void refetch()
  }, [news, refetch])
  // A reader starts with the first file, so its patch is loaded ahead.
  const queries = useQueryClient()
  useEffect(() => {
    const [first] = data?.files ?? []
    if (!data || !first || foldReason(first) !== null) return
    const wish = { execution: execution.id, from: data.from, to: data.to, ignoreSpace: false }
    return whenIdle(() => void queries.prefetchQuery(patchQuery(wish, first, undefined)))
  }, [data, execution.id, queries])
  const { added, removed } = totals(data?.files ?? [])
  if (added + removed === 0) return null
  return (
    <span className={css['totals']}>
      {' '}
      <LineChange added={added} removed={removed} short />
    </span>
  )
}

export const totals = (files: readonly DiffFileView[]): { added: number; removed: number } => ({
  added: files.reduce((sum, one) => sum + (one.added ?? 0), 0),
  removed: files.reduce((sum, one) => sum + (one.removed ?? 0), 0),
})
