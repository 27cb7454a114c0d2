import { apiOfAgent } from '@beadloom/core/agents/presets.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ChangeExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { Course } from '@beadloom/core/records/course.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { nameOrNobody, type Person } from '../../http/access/person.ts'
import type { Gateway } from '../../ports/gateway.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { Store } from '../../ports/store.ts'
import { noExecution } from '../../app/stored/refusals.ts'
import { settingsFor } from '../../app/stored/stored-settings.ts'
import type { ServerViews } from '../../app/views/views.ts'

export type CourseDeps = {
  store: Store
  views: Pick<ServerViews, 'execution'>
  gateway: Pick<Gateway, 'check'>
}

/** Changes the model of a running execution's next calls, or its time limit. */
export async function changeCourse(
  { store, views, gateway }: CourseDeps,
  id: ExecutionId,
  { model, executionTimeoutSeconds: seconds }: ChangeExecution,
  { person, once }: { person: Person; once: Once },
): Promise<ExecutionView | Problem> {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (once.before === null) {
    const unusable = model === undefined ? null : await whyUnusable(store, gateway, execution, model)
    if (unusable !== null) return new Problem(409, 'model_unusable', unusable)
    const change: Course = {
      ...(model !== undefined && { model }),
      ...(seconds !== undefined && { executionTimeoutMs: seconds * 1000 }),
    }
    const changed = once.make(
      () => store.changeCourse(id, change, nameOrNobody(person)),
      (result) => ('refused' in result ? null : result.id),
    )
    if ('refused' in changed) return new Problem(409, 'not_now', changed.refused)
  }
  return views.execution(id) ?? noExecution(id)
}

const SCRIPTED = 'scripted'

/** Why the agent of an execution cannot use a model; null: it can. */
async function whyUnusable(
  store: Store,
  gateway: Pick<Gateway, 'check'>,
  execution: Execution,
  model: string,
): Promise<string | null> {
  const settings = settingsFor(store, execution)
  if (settings === null) return `the settings of ${execution.id} are not known`
  if (execution.kind !== 'work') return `${execution.id} is a ${execution.kind}, whose model stays as it is`
  const own = settings.beads[execution.bead]
  const name = execution.chosen?.agent ?? own?.agent ?? settings.agent
  const before = execution.course?.model ?? execution.chosen?.model ?? settings.model
  const now = await gateway.check(before, settings.scenario, null)
  if (model === SCRIPTED || now.name === SCRIPTED) return 'a recorded run has no other model'
  const { ok, text } = await gateway.check(model, null, apiOfAgent(name), execution.project)
  return ok ? null : text
}
