import type { Bead } from '@beadloom/core/bead/bead.ts'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import { sessionIdOf, type SessionId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { LINK_PORT, type GitOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import type { Link } from '../link/link.ts'
import type { OutputSource } from '../ports/engine.ts'
import type { HubProject } from '../ports/hub.ts'
import type { RunnerDeps } from './deps.ts'
import type { Pause } from './pause.ts'
import type { Stopper } from './stop.ts'
import type { Watchdog } from './watchdog.ts'

/** Everything that one execution holds while it runs. */
export type RunContext = {
  deps: RunnerDeps
  execution: Execution
  bead: Bead
  project: HubProject
  settings: ProjectSettings
  stopper: Stopper
  watchdog: Watchdog
  /** Its wait for the next run. */
  pause: Pause
  /** Sessions are numbered over the whole execution, whatever their kind. */
  nextSession: () => number
  /** What the agent has to know about its branch, beside what a person wrote; null: nothing. */
  notice: string | null
  /** The verified work is in the hub's work branch, from where it cannot be taken back. */
  merged: boolean
  /** The agent's container, over all runs; null before the first and after one that was lost. */
  container: RunContainer | null
  /** The agent's container holds what is on no ref yet. */
  unsaved: boolean
  /** It goes on after a restart of the server. */
  resumed: boolean
  /** The ref that holds what a stopped container left, once it was saved. */
  savedRef: string | null
}

/** A container of this execution with the link that belongs to it. */
export type RunContainer = {
  id: string
  link: Link
  /** It runs already, with this output since its start, and its agent process waits for the first session's order. */
  waiting?: OutputSource | null
  /** A session has been in it: the next one finds a workspace. */
  used?: boolean
}

/** Of an agent the model is stored that it is given: the gateway lets it have no other. */
export function beginSession(run: RunContext, kind: SessionKind, attempt: number): SessionId {
  const number = run.nextSession()
  const id = sessionIdOf(run.execution.id, number)
  run.deps.store.startSession({
    id,
    execution: run.execution.id,
    number,
    kind,
    attempt,
    model: kind === 'work' ? run.settings.model : null,
  })
  return id
}

const COMMITTER = { name: 'Beadloom', email: 'beadloom@localhost' }

/** The hub as a container sees it, through the link. */
const HUB_URL = `http://127.0.0.1:${LINK_PORT}/git/hub.git`

/** What a session checks out, and as whom it commits. */
export const checkoutOf = (branch: string, commit: string): GitOrder => ({
  url: HUB_URL,
  branch,
  commit,
  author: COMMITTER,
})
