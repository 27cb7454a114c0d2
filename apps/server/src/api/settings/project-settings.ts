import { isDeepStrictEqual } from 'node:util'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import {
  changeOverrides,
  noOverrides,
  valueAt,
  type ProjectOverrides,
} from '@beadloom/core/project/project-overrides.ts'
import { openFor } from '@beadloom/core/gateway/hosted-tools.ts'
import { openedText } from '@beadloom/core/gateway/opened-words.ts'
import { refusedNote } from '@beadloom/core/egress/ledger.ts'
import { projectSettingTable } from '@beadloom/core/project/project-setting-table.ts'
import { describeProjectSettings } from '@beadloom/core/views/project-settings-view.ts'
import type { NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import type {
  ChangeProjectSettings,
  ProjectSettingsView,
  SettingsHistory,
} from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'
import { Problem } from '../../ports/problem.ts'
import type { Aside } from '../../ports/aside.ts'
import { HubError, type Fetched, type Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import type { ServerSettings } from '../../process/settings/settings.ts'
import { agentsAt } from '../../workflow/agents-at.ts'
import { readProjectConfig, readProjectSettings } from '../../app/settings/project-settings.ts'
import type { Projects } from '../../app/projects/projects.ts'
import { hubProject } from '../../app/stored/stored-settings.ts'
import { gitFailed, noProject, projectNotRead } from '../../app/stored/refusals.ts'

export type SettingsDeps = {
  store: Store
  hub: Hub
  aside: Aside
  projects: Pick<Projects, 'sync'>
  scheduler: { nudge(): void }
  settings: ServerSettings
  /** The note on this much memory for each container, if the engine (null: the default) has less; else null. */
  memoryNote: (engine: string | null, asked: number) => string | null
}

/** The store keeps no more changes than these. */
const SHOWN = 50

export async function ofProject(deps: SettingsDeps, id: ProjectId): Promise<ProjectSettingsView | Problem> {
  const { store, hub, aside, settings } = deps
  const row = store.project(id)
  if (!row) return noProject(id)
  const history = historyOf(store, id)
  const view = { project: id, revision: store.overrides(id).revision, history }
  try {
    const fetched = await hub.current(hubProject(row))
    if (!fetched) return projectNotRead(row)
    const parts = await readProjectSettings({ hub, aside, store, defaultModel: settings.model }, id, fetched)
    const file = `beadloom.json on ${fetched.baseBranch} at ${fetched.commit.slice(0, 12)}`
    const note = deps.memoryNote(parts.settings.engine, parts.settings.limits.memoryBytes)
    const fields = describeProjectSettings(parts).map((field) =>
      field.key === 'limits.memoryMb' && note !== null ? { ...field, note } : field,
    )
    const refused = refusedNote(parts.settings.allow, store.egressOfProject(id))
    const hosted = openedText(openFor(settings.models.hostedTools, id))
    const network = fields.find(({ key }) => key === 'network')
    if (network && hosted !== null) network.note = hosted
    const allow = fields.find(({ key }) => key === 'network.allow')
    if (allow && refused !== null) allow.note = refused
    return { ...view, file, problem: row.problem?.text ?? null, fields }
  } catch (error) {
    if (error instanceof ConfigError) return { ...view, file: 'beadloom.json', problem: error.message, fields: [] }
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
}

/** The agents that the project's built-in agent can ask, by its base branch. */
export async function agentsOf({ store, hub }: SettingsDeps, id: ProjectId): Promise<NamedAgentsView | Problem> {
  const row = store.project(id)
  if (!row) return noProject(id)
  try {
    const fetched = await hub.current(hubProject(row))
    if (!fetched) return projectNotRead(row)
    const { agents, problems, notes } = await agentsAt(hub, id, fetched.commit)
    const items = agents.map(({ prompt: _prompt, ...agent }) => agent)
    return { items, problems, notes }
  } catch (error) {
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
}

export async function changeProject(
  deps: SettingsDeps,
  id: ProjectId,
  { revision, changes }: ChangeProjectSettings,
): Promise<ProjectSettingsView | Problem> {
  const { store, hub, projects, scheduler } = deps
  const row = store.project(id)
  if (!row) return noProject(id)
  const before = store.overrides(id)
  let next: ProjectOverrides
  try {
    const fetched = await hub.current(hubProject(row))
    if (!fetched) return projectNotRead(row)
    next = changeOverrides(before.values, changes, await fileOf(hub, id, fetched))
  } catch (error) {
    if (error instanceof ConfigError)
      return new Problem(422, 'invalid_settings', error.problems.join('; '), error.problems)
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
  // A choice that is there already, or the removal of one that is not, is nothing for the history.
  if (before.revision === revision && isDeepStrictEqual(next, before.values)) return ofProject(deps, id)
  if (before.revision !== revision || !store.setOverrides(id, revision, next))
    return new Problem(
      409,
      'settings_changed',
      'these settings were changed in the meantime: reload them, then make your change again',
    )
  await projects.sync(id, 'settings')
  scheduler.nudge()
  return ofProject(deps, id)
}

/** A broken file has to be fixed in the repository; meanwhile people must be able to undo a choice made here. */
async function fileOf(hub: Hub, id: ProjectId, fetched: Fetched) {
  try {
    return await readProjectConfig({ hub }, id, fetched)
  } catch (error) {
    if (error instanceof ConfigError) return {}
    throw error
  }
}

/** The changes of each revision against the one before it. The oldest one has nothing to compare with. */
function historyOf(store: Store, id: ProjectId): SettingsHistory[] {
  const states = store.overridesHistory(id, SHOWN)
  return states.map(({ revision, at, values }, index) => {
    const earlier = states[index + 1]?.values ?? noOverrides
    const changes = projectSettingTable.flatMap(({ key }) => {
      const from = (valueAt(earlier, key) ?? null) as SettingValue
      const to = (valueAt(values, key) ?? null) as SettingValue
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ key, from, to }]
    })
    return { revision, at, changes }
  })
}
