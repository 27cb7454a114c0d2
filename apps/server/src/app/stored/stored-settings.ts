import { defaultFreshStarts } from '@beadloom/core/execution/fresh-starts/fresh-starts.ts'
import { usuallyIgnored } from '@beadloom/core/bead/ignored.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import { noToolchains } from '@beadloom/core/environment/toolchains/offer.ts'
import { defaultPlanning } from '@beadloom/core/records/planning.ts'
import { DEFAULT_WARM, usualSlots, type ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { HubProject } from '../../ports/hub.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { Store } from '../../ports/store.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'

/** An older server's stored settings lack these until the project is read again. */
const newer: Pick<
  ProjectSettings,
  | 'engine'
  | 'warm'
  | 'slots'
  | 'allow'
  | 'onLimit'
  | 'onBlocked'
  | 'devcontainer'
  | 'toolchains'
  | 'instead'
  | 'folders'
  | 'absent'
  | 'untested'
  | 'verify'
  | 'proveBase'
  | 'acceptUnchecked'
  | 'foundSecrets'
  | 'originalTests'
  | 'elsewhere'
  | 'ownSetup'
  | 'unverified'
  | 'judges'
  | 'retry'
  | 'freshStarts'
  | 'review'
  | 'planning'
  | 'agentVersion'
  | 'agentArguments'
  | 'commits'
  | 'author'
  | 'committer'
  | 'ignore'
> = {
  engine: null,
  warm: DEFAULT_WARM,
  slots: usualSlots,
  allow: [],
  onLimit: 'stop',
  onBlocked: 'end',
  devcontainer: null,
  toolchains: noToolchains,
  instead: null,
  folders: [],
  absent: [],
  untested: null,
  agentVersion: null,
  agentArguments: [],
  commits: 'keep',
  author: null,
  committer: null,
  verify: [],
  proveBase: true,
  acceptUnchecked: false,
  foundSecrets: 'refuse',
  originalTests: 'tell',
  elsewhere: 'ci',
  ownSetup: true,
  unverified: false,
  judges: [],
  retry: defaultRetry,
  freshStarts: defaultFreshStarts,
  review: { agent: null, command: null, model: null },
  planning: defaultPlanning,
  ignore: [...usuallyIgnored],
}

export const settingsOf = (row: ProjectRow): ProjectSettings | null =>
  row.settings === null ? null : withNewer(JSON.parse(row.settings) as ProjectSettings)

export const withNewer = (settings: ProjectSettings): ProjectSettings => ({ ...newer, ...settings })

/** The settings that an execution runs with, or would start with. */
export function settingsFor(
  store: Pick<Store, 'startedSettings' | 'project'>,
  { id, project }: Execution,
): ProjectSettings | null {
  const started = store.startedSettings(id)
  if (started !== null) return withNewer(started)
  const row = store.project(project)
  return row && settingsOf(row)
}

export function hubProject(row: ProjectRow): HubProject {
  return { id: row.id, source: row.source, baseBranch: row.chosenBase ?? settingsOf(row)?.baseBranch ?? null }
}
