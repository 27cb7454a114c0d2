import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { beadQuery } from '../../components/bead/bead-query.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import type { BoardTopic } from '../../feed/board-feed.ts'

export type LiveBead = {
  bead: BeadView | null
  /** Executions of the kinds work and plan, newest first; live ones come from the feed. Reviews are not included. */
  all: ExecutionView[]
  /** Executions of the kind work. */
  executions: ExecutionView[]
  /** Executions in which an architect planned it. */
  plannings: ExecutionView[]
  /** Its current or last activity: a live planning, otherwise its newest work. */
  newest: ExecutionView | null
  error: Error | null
  retry: () => void
  board: BoardTopic
}

/** A bead that has arrived. */
export type KnownBead = LiveBead & { bead: BeadView }
export const isKnown = (live: LiveBead): live is KnownBead => live.bead !== null

/** A bead with everything that belongs to it: read once over HTTP, and again whenever the feed reports a change. */
export function useBead(project: string, id: string): LiveBead {
  const board = useBoard(project)
  const card = board.view?.beads.get(id) ?? null
  const live = card?.execution ? (board.view?.executions.get(card.execution) ?? null) : null
  const { data, error, refetch } = useQuery({
    ...beadQuery(project, id, board.view),
    placeholderData: (previous, query) => (query?.queryKey[2] === id ? keepPreviousData(previous) : undefined),
  })
  const bead = useMemo(() => (data && card ? { ...data, ...card } : (data ?? null)), [data, card])
  const [all, executions, plannings] = useMemo(() => {
    const known = (data?.executions ?? []).filter(({ kind }) => kind !== 'review')
    const merged = known.map((one) => board.view?.executions.get(one.id) ?? one)
    if (live && !known.some((one) => one.id === live.id)) merged.push(live)
    const sorted = merged.toSorted((a, b) => b.queuedAt - a.queuedAt)
    return [sorted, sorted.filter(({ kind }) => kind === 'work'), sorted.filter(({ kind }) => kind === 'plan')]
  }, [data, board.view, live])
  const planning = plannings.find(({ state }) => !isTerminal(state))
  const newest = planning ?? executions[0] ?? null
  return { bead, all, executions, plannings, newest, error, retry: () => void refetch(), board }
}
