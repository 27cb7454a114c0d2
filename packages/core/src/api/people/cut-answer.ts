import type { ServerStatus } from '../server/server-api.ts'
import { isObject } from '../../text/json-object.ts'

/**
 * `by`: the item's field that names its project. An item without a project belongs to the server. Throws for an answer
 * that is no list: it cannot be cut, so nobody gets it.
 */
export function cutList<T>(answer: T, by: 'id' | 'project', sees: (project: string | null) => boolean): T {
  if (!isObject(answer) || !Array.isArray(answer['items'])) throw new Error('this answer is no list of items')
  const items = (answer['items'] as unknown[]).filter((item) => {
    const project = isObject(item) ? item[by] : null
    return sees(typeof project === 'string' ? project : null)
  })
  return { ...answer, items }
}

/** @param projectOf of an execution; null: the execution is not known any more */
export function cutStatus(
  status: ServerStatus,
  sees: (project: string) => boolean,
  projectOf: (execution: string) => string | null,
): ServerStatus {
  return {
    ...status,
    queue: status.queue.filter(({ project }) => sees(project)),
    running: status.running.filter((execution) => {
      const project = projectOf(execution)
      return project !== null && sees(project)
    }),
  }
}
