import type { LogSection } from '@beadloom/core/api.ts'
import type { Session } from '@beadloom/core/session.ts'
import { useQuery } from '@tanstack/react-query'
import { getLogMeta } from '../../api/endpoints.ts'

const LOOK_AGAIN_MS = 5000
const none: readonly LogSection[] = []

/** The outline of a log: sections, steps and tool calls, in the order of their lines. */
export function useSections(session: Session): readonly LogSection[] {
  const { data } = useQuery({
    queryKey: ['log-meta', session.id, session.state],
    queryFn: ({ signal }) => getLogMeta(session.id, signal),
    refetchInterval: session.state === 'ended' ? false : LOOK_AGAIN_MS,
    retry: false,
    enabled: session.logLines > 0, // before that there is no log to ask for
    placeholderData: (before, query) => (query?.queryKey[1] === session.id ? before : undefined),
  })
  return data?.sections ?? none
}
