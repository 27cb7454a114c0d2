import type { ProjectConfig } from '../project/project-config-schema.ts'
import type { ProjectSettings } from '../project/project-config.ts'
import { valueAt, type ProjectOverrides } from '../project/project-overrides.ts'
import { settingHelp } from '../project/project-config-words.ts'
import type { ProjectSettingRow as Row } from '../project/project-setting-row.ts'
import { projectSettingTable } from '../project/project-setting-table.ts'
import type { SettingField, SettingSource } from '../api/settings/settings-api.ts'
import type { SettingValue } from '../project/setting-value.ts'

/**
 * `settings` is `file` with `overrides` on top, `without` the file alone. `serverModel`: for projects that name no
 * model.
 */
export type SettingsParts = {
  file: ProjectConfig
  overrides: ProjectOverrides
  settings: ProjectSettings
  without: ProjectSettings
  serverModel: string | null
  baseBranch: string
}

export function describeProjectSettings(parts: SettingsParts): SettingField[] {
  return projectSettingTable.map((row) => {
    const { of, detected: _, fixed, ...shown } = row
    const value = of(parts.settings)
    const source = sourceOf(row, parts, value)
    return {
      ...shown,
      help: settingHelp(row.key),
      value,
      source,
      where: whereOf(source, parts.baseBranch),
      editable: fixed !== true,
      here: (valueAt(parts.overrides, row.key) ?? null) as SettingValue,
      otherwise: of(parts.without),
      applies: 'to new executions',
    }
  })
}

function sourceOf(row: Row, { file, overrides, serverModel }: SettingsParts, value: SettingValue): SettingSource {
  if (valueAt(overrides, row.key) !== undefined) return 'here'
  if (isInFile(row.key, file)) return 'file'
  if ((row.key === 'model' || row.key === 'review.model') && serverModel !== null && value === serverModel)
    return 'server'
  return row.detected && value !== null ? 'detected' : 'default'
}

/** Some values come from another key: a Dockerfile makes the image, and the tests are a check. */
function isInFile(key: string, file: ProjectConfig): boolean {
  if (valueAt(file, key) !== undefined) return true
  return (key === 'image' && file.dockerfile !== undefined) || (key === 'verify' && file.test !== undefined)
}

function whereOf(source: SettingSource, baseBranch: string): string {
  switch (source) {
    case 'here':
      return 'chosen here'
    case 'file':
      return `beadloom.json on ${baseBranch}`
    case 'server':
      return "the server's model"
    case 'detected':
      return "detected from the repository's files"
    default:
      return "Beadloom's default"
  }
}
