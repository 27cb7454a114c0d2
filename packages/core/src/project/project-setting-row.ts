import type { SettingKind, SettingValue } from './setting-value.ts'
import type { ProjectSettings } from './project-config.ts'
import type { SettingSection } from './settings-sections.ts'

/** The display of one setting of a project. `of` reads its value from the settings that executions run with. */
export type ProjectSettingRow = SettingKind & {
  key: string
  section: SettingSection
  label: string
  of: (settings: ProjectSettings) => SettingValue
  /** Detected from the repository's files if nobody sets it. */
  detected?: true
  /** Belongs to the repository: changed in `beadloom.json`, not here. */
  fixed?: true
}
