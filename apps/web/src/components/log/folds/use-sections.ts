import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { useQuery } from '@tanstack/react-query'
import { getLogMeta } from '../../../api/endpoints.ts'

const LOOK_AGAIN_MS = 5000
/** Used while there is no outline yet: it arrives with the first words. */
const LOOK_SOON_MS = 1000
const none: readonly LogSection[] = []

/**
 * The outline of a log: sections, steps and tool calls, in the order of their lines. `toCome`: there is none yet, but
 * room is kept for it, so that the lines do not shift when it arrives.
 */
export function useSections(session: Session): { sections: readonly LogSection[]; toCome: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['log-meta', session.id, session.state],
    queryFn: ({ signal }) => getLogMeta(session.id, signal),
    refetchInterval: ({ state }) =>
      session.state === 'ended' ? false : enough(state.data?.sections) ? LOOK_AGAIN_MS : LOOK_SOON_MS,
    retry: false,
    enabled: session.logLines > 0, // before that, there is no log to ask about
    placeholderData: (before, query) => (query?.queryKey[1] === session.id ? before : undefined),
  })
  const sections = data?.sections ?? none
  const has = session.kind === 'work' || session.kind === 'verify' // a checkout, and the work after it
  const open = session.state !== 'ended' || (data === undefined && session.logLines > 0)
  return { sections, toCome: !isError && has && open && !enough(sections) }
}

/** Whether there is an outline worth showing: a single section is the log itself. */
export const enough = (sections: readonly LogSection[] = none): boolean => sections.length > 1
