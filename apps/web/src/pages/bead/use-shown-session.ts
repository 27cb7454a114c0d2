import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { pickSession, type Picked } from './tabs/pick-session.ts'
import type { LiveBead } from './use-bead.ts'
import type { OpenTab } from './use-bead-tab.ts'
import { converses, prefersLog } from '../../components/log/conversation/output-mode.tsx'

export type ShownSession = {
  /** The session of the tab Output. */
  picked: Picked | null
  /** The execution in the pipeline: the newest one, or that of a session in the address. */
  execution: ExecutionView | null
  /** The session whose log is in sight; null if none is. */
  chosen: string | null
  show(session: Session): void
  showNewest(): void
}

const route = getRouteApi('/p/$project/b/$bead')
const noLines = { line: undefined, to: undefined }

/** The session that a person reads: the one in the address, otherwise the one that matters now. */
export function useShownSession({ all, newest }: LiveBead, { tab, inTheatre }: OpenTab): ShownSession {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [watched, setWatched] = useState<string | null>(null)
  const isLinked = search.session !== undefined
  const picked = pickSession(all, search.session, watched)
  const follows = tab === 'output' && !isLinked && picked !== null && isFollowed(picked)
  if (follows && picked.session.id !== watched) setWatched(picked.session.id)
  return {
    picked,
    execution: picked !== null && isLinked ? picked.execution : (newest ?? all[0] ?? null),
    chosen: tab === 'output' || (inTheatre && isLinked) ? (picked?.session.id ?? null) : null,
    show: ({ id: session, attempt }) => {
      // The theatre shows an attempt's sessions itself.
      const place = inTheatre ? { attempt: Math.max(1, attempt) } : { tab: 'output' as const }
      void navigate({ search: (old) => ({ ...old, ...place, session, ...noLines }), replace: true })
    },
    showNewest: () => void navigate({ search: (old) => ({ ...old, session: undefined, ...noLines }), replace: true }),
  }
}

/** A session of an agent at work that is read as a conversation; a plan's sessions are a single conversation anyway. */
const isFollowed = ({ execution, session }: Picked): boolean =>
  session.state !== 'ended' && converses(session) && (execution.inPhases?.length ?? 0) === 0 && !prefersLog()
