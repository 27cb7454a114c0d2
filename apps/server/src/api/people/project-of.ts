import type { PlaceName } from '@beadloom/core/access/route-places.ts'
import {
  executionOf,
  type ExecutionId,
  type ProjectId,
  type PullRequestId,
  type SessionId,
} from '@beadloom/core/records/ids.ts'
import type { ProjectOf } from '../../http/access/door.ts'
import type { Store } from '../../ports/store.ts'

/** The project of a thing; null: there is no such thing. The ids have been parsed. */
export function projectOf(store: Pick<Store, 'project' | 'execution' | 'pullRequest' | 'container'>): ProjectOf {
  const ofExecution = (id: ExecutionId) => store.execution(id)?.project ?? null
  const by: Record<PlaceName, (id: string) => string | null> = {
    project: (id) => (store.project(id as ProjectId) ? id : null),
    execution: (id) => ofExecution(id as ExecutionId),
    session: (id) => ofExecution(executionOf(id as SessionId)),
    pullRequest: (id) => store.pullRequest(id as PullRequestId)?.project ?? null,
    container: (name) => store.container(name)?.project ?? null,
  }
  return (name, id) => by[name](id)
}
