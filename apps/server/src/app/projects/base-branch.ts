import { HubError, type Fetched, type Hub, type HubProject } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import { readProjectConfig } from '../settings/project-settings.ts'

type Source = Pick<ProjectRow, 'id' | 'source' | 'chosenBase'>

/**
 * The base branch as it is now, or, if the remote does not answer, as it was last fetched, with a warning. Its name is
 * read from the default branch each time: a base branch that was renamed or deleted must not block the reading of the
 * setting that would repair it. A person's choice counts before both. Throws `HubError` if nothing was ever fetched.
 */
export async function fetchBaseBranch(hub: Hub, source: Source, warnings: string[]): Promise<Fetched> {
  if (source.chosenBase !== null) return fetchBranch(hub, source, source.chosenBase, warnings)
  const byDefault = await fetchBranch(hub, source, null, warnings)
  const { baseBranch } = await readProjectConfig({ hub }, source.id, byDefault)
  if (baseBranch === undefined || baseBranch === byDefault.baseBranch) return byDefault
  return fetchBranch(hub, source, baseBranch, warnings)
}

async function fetchBranch(
  hub: Hub,
  { id, source }: Source,
  baseBranch: string | null,
  warnings: string[],
): Promise<Fetched> {
  const asked: HubProject = { id, source, baseBranch }
  try {
    return await hub.fetch(asked)
  } catch (error) {
    const known = error instanceof HubError ? await hub.current(asked) : null
    if (!known || !(error instanceof HubError)) throw error
    const warning = `${error.message} (continuing with what was fetched before)`
    if (!warnings.includes(warning)) warnings.push(warning)
    return known
  }
}
