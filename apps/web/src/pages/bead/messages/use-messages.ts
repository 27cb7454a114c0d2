import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getMessages } from '../../../api/steering.ts'

/** An execution at work changes several times a second; changes within this time are read together. */
const PAUSE_MS = 500

type Messages = { items: Message[] }

export type LiveMessages = {
  /** Oldest first; null until loaded. */
  messages: readonly Message[] | null
  error: Error | null
  retry: () => void
  /** Shows a message that the server has just taken. */
  add: (message: Message) => void
}

/** The messages to the agents of an execution: read once, and again when the feed has news of the execution. */
export function useMessages(execution: ExecutionView): LiveMessages {
  const { id } = execution
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['messages', id],
    queryFn: ({ signal }) => getMessages(id, signal),
    // A person who comes back to the page may have missed that one was read.
    staleTime: 0,
  })
  const seen = useRef(execution)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (seen.current === execution) return
    seen.current = execution
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      // This also drops an answer on its way, which may be older than the message.
      void queries.invalidateQueries({ queryKey: ['messages', id] })
    }, PAUSE_MS)
  }, [queries, id, execution])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return {
    messages: data?.items ?? null,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
    add: (message) => {
      queries.setQueryData<Messages>(['messages', id], (old) => ({
        items: [...(old?.items ?? []).filter((one) => one.id !== message.id), message],
      }))
      void queries.invalidateQueries({ queryKey: ['messages', id] })
    },
  }
}
