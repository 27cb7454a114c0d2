import type { HubError } from '../../ports/hub.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'

/* Refusals that several commands and queries share, each worded once. */

export const noProject = (id: string) =>
  new Problem(
    404,
    'not_found',
    `there is no project "${id}". To list projects: beadloom project list (GET /api/projects)`,
  )
export const noBead = (project: string, id: string) =>
  new Problem(404, 'not_found', `there is no bead "${id}" in the project "${project}"`)
export const noExecution = (id: string) => new Problem(404, 'not_found', `there is no execution "${id}"`)

export const badCursor = () => new Problem(400, 'bad_cursor', 'this cursor is not valid; start again without it')

export const gitFailed = ({ kind, message }: HubError) =>
  kind === 'no-space' ? new Problem(507, 'no_space', message) : new Problem(502, 'git_failed', message)

/** A project whose settings or repository could not be read, or have not been read yet. */
export const projectNotRead = ({ problem }: Pick<ProjectRow, 'problem'>) =>
  new Problem(409, 'project_broken', problem?.text ?? 'the project has not been read yet; try again in a moment')

/** A bead that waits for a missing one would wait for ever. */
export function unknownBeads(
  store: Pick<Store, 'listedBead'>,
  project: ProjectId,
  wanted: readonly string[],
): Problem | null {
  const unknown = wanted.filter((id) => store.listedBead(project, id as BeadId) === null)
  if (unknown.length === 0) return null
  const ids = unknown.map((id) => JSON.stringify(id)).join(', ')
  return new Problem(
    422,
    'unknown_bead',
    `the project ${project} has no bead ${ids}; a bead can only depend on beads of its own project`,
  )
}
