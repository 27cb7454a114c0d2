import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { branchesProblems, problemsOf } from '@beadloom/core/project/project-config-problems.ts'
import { settleModules } from '@beadloom/core/environment/readers/git-parts.ts'
import {
  configBounds,
  parseProjectConfig,
  resolveSettings,
  type ProjectConfig,
  type ProjectSettings,
} from '@beadloom/core/project/project-config.ts'
import { overlay } from '@beadloom/core/project/project-overrides.ts'
import type { SettingsParts } from '@beadloom/core/views/project-settings-view.ts'
import type { Aside } from '../../ports/aside.ts'
import type { Fetched, Hub } from '../../ports/hub.ts'
import type { ProjectChoices } from '../../ports/store/project-choices.ts'
import { detectAt } from '../../workflow/detect-at.ts'

export type SettingsSource = {
  hub: Pick<Hub, 'readFile' | 'readFiles' | 'paths' | 'modules'>
  aside: Pick<Aside, 'environment'>
  store: Pick<ProjectChoices, 'overrides'>
  /** For projects that name no model. */
  defaultModel: string | null
}

/** `beadloom.json` of a commit. Throws `ConfigError`. */
export async function readProjectConfig(
  { hub }: { hub: Pick<Hub, 'readFile'> },
  project: ProjectId,
  commit: string,
): Promise<ProjectConfig> {
  return parseProjectConfig((await hub.readFile(project, commit, 'beadloom.json', configBounds.bytes)) ?? '{}')
}

/** The settings that a project's executions use, and where they come from. Throws `ConfigError`. */
export async function readProjectSettings(
  source: SettingsSource,
  project: ProjectId,
  { baseBranch, commit }: Fetched,
): Promise<SettingsParts> {
  const { hub, store, defaultModel } = source
  const file = await readProjectConfig(source, project, commit)
  const detected = await detectAt(source, project, commit)
  const found = { ...detected, absent: settleModules(detected.absent, await hub.modules(project, commit)) }
  const resolved = (config: ProjectConfig): ProjectSettings => {
    const settings = resolveSettings(config, found, project, baseBranch)
    return { ...settings, baseBranch, model: settings.model ?? defaultModel }
  }
  const overrides = store.overrides(project).values
  const merged = overlay(file, overrides)
  // The file may have changed since the override was made, so that the two no longer fit together.
  const problems = problemsOf(merged)
  // Without a setting the base branch is the repository's own, unknown to the file's own checks.
  if (problems.length === 0) problems.push(...branchesProblems(baseBranch, merged.workBranch))
  if (problems.length > 0) throw new ConfigError('beadloom.json together with the overrides on this server', problems)
  return { file, overrides, settings: resolved(merged), without: resolved(file), serverModel: defaultModel, baseBranch }
}
