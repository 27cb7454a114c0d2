import type { EnvironmentView, ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import { detected } from '@beadloom/core/environment/commands/detected.ts'
import { toolchainsFor } from '@beadloom/core/environment/devcontainer/toolchains-for.ts'
import type { Found } from '@beadloom/core/environment/found.ts'
import { settleModules } from '@beadloom/core/environment/readers/git-parts.ts'
import { keysIn, unsaid } from '@beadloom/core/project/merge-proposal.ts'
import { proposalFor, type Proposal } from '@beadloom/core/project/proposal.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { jsonProblem } from '@beadloom/core/text/json-problem.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Problem } from '../../ports/problem.ts'
import type { Aside } from '../../ports/aside.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import { foundAt } from '../../workflow/detect-at.ts'
import { readConfigText } from '../../app/settings/project-settings.ts'
import { hubProject, settingsOf } from '../../app/stored/stored-settings.ts'
import { gitFailed, noProject, projectNotRead } from '../../app/stored/refusals.ts'

export type EnvironmentDeps = {
  store: Pick<Store, 'project'>
  base: (row: ProjectRow) => ProofView | null
  hub: Pick<Hub, 'current' | 'readFile' | 'readFiles' | 'realPath' | 'rootFiles' | 'paths' | 'modules'>
  aside: Pick<Aside, 'environment'>
}

/** The image of the next execution. It contains no hints: those are only proposed. */
function imageOf(row: ProjectRow, found: Found): Pick<EnvironmentView, 'toolchains' | 'devcontainer'> {
  const settings = settingsOf(row)
  if (settings) return { toolchains: settings.toolchains, devcontainer: settings.devcontainer }
  const { tools, devcontainer } = detected(found)
  return { toolchains: toolchainsFor(tools, devcontainer), devcontainer }
}

/** Read again each time: it follows from the hub's copy of the base branch, and nothing else needs it stored. */
export async function environmentOf(
  { store, hub, aside, base }: EnvironmentDeps,
  id: ProjectId,
): Promise<EnvironmentView | Problem> {
  const row = store.project(id)
  if (!row) return noProject(id)
  try {
    const fetched = await hub.current(hubProject(row))
    if (!fetched) return projectNotRead(row)
    const { baseBranch, commit } = fetched
    const files = await foundAt({ hub, aside }, id, commit)
    const found = { ...files, absent: settleModules(files.absent, await hub.modules(id, commit)) }
    const configured = (await hub.rootFiles(id, commit)).includes('beadloom.json')
    const said = await readConfigText({ hub }, id, fetched).catch((error: unknown) => {
      if (error instanceof ConfigError) return error
      throw error
    })
    const proposal =
      said instanceof ConfigError
        ? { config: {}, from: [], open: [`${said.message}.`] }
        : besideSaid(proposalFor(found), said ?? '{}')
    return { project: id, baseBranch, commit, configured, found, ...imageOf(row, found), proposal, proof: base(row) }
  } catch (error) {
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
}

/** Proposes only keys that the file lacks, and nothing for a file that cannot be read. */
function besideSaid(proposal: Proposal, text: string): Proposal {
  const keys = keysIn(text)
  if (keys !== null) return unsaid(proposal, keys)
  const wrong = jsonProblem(text) ?? 'not an object'
  return { config: {}, from: [], open: [`beadloom.json is not JSON (${wrong}): correct it first.`] }
}
