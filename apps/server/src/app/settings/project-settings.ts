import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
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
import { FileTooLarge, type Fetched, type Hub } from '../../ports/hub.ts'
import type { ProjectChoices } from '../../ports/store/project-choices.ts'
import { detectAt } from '../../workflow/detect-at.ts'

const FILE = 'beadloom.json'

type ConfigHub = Pick<Hub, 'readFile' | 'rootFiles' | 'realPath'>

export type SettingsSource = {
  hub: ConfigHub & Pick<Hub, 'readFiles' | 'paths' | 'modules'>
  aside: Pick<Aside, 'environment'>
  store: Pick<ProjectChoices, 'overrides'>
  /** For projects that name no model. */
  defaultModel: string | null
}

/** `beadloom.json` of a branch. Throws `ConfigError`. */
export async function readProjectConfig(
  source: { hub: ConfigHub },
  project: ProjectId,
  fetched: Fetched,
): Promise<ProjectConfig> {
  return parseProjectConfig((await readConfigText(source, project, fetched)) ?? '{}')
}

/**
 * Its text; null if the branch has none. Throws `ConfigError` if it has something of that name which is not read:
 * settings that somebody has written must never count as missing.
 */
export async function readConfigText(
  { hub }: { hub: ConfigHub },
  project: ProjectId,
  { baseBranch, commit }: Fetched,
): Promise<string | null> {
  const unusable = (is: string, fix: string) => new ConfigError(`${FILE} on ${baseBranch}`, [`${is}: ${fix}`])
  const asFile = `only a regular file is read. Make ${FILE} one on that branch, with the settings in it`
  try {
    const text = await hub.readFile(project, commit, FILE, configBounds.bytes)
    if (text !== null || !(await hub.rootFiles(project, commit)).includes(FILE)) return text
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    const most = countText(configBounds.bytes)
    throw unusable(`it has ${countText(error.bytes)} bytes`, `at most ${most} are read. Shorten it on that branch`)
  }
  const isLink = (await hub.realPath(project, commit, FILE)) !== FILE
  throw unusable(isLink ? 'it is a symbolic link' : 'it is a folder or a submodule', asFile)
}

/** The settings that a project's executions use, and where they come from. Throws `ConfigError`. */
export async function readProjectSettings(
  source: SettingsSource,
  project: ProjectId,
  fetched: Fetched,
): Promise<SettingsParts> {
  const { hub, store, defaultModel } = source
  const { baseBranch, commit } = fetched
  const file = await readProjectConfig(source, project, fetched)
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
