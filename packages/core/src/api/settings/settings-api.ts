import type { SettingKind, SettingValue } from '../../project/setting-value.ts'
import { z } from 'zod/mini'
import type { SettingSection } from '../../project/settings-sections.ts'

/* Settings as people see and change them: each with its effective value, its source, and where to change it. */

/**
 * The source of an effective value: Beadloom's default, the repository's files, `beadloom.json` or `config.json`
 * (`file`), an environment variable, a flag, the server's own setting, or a person's choice here.
 */
export const settingSources = ['default', 'detected', 'file', 'environment', 'flag', 'server', 'here'] as const
export type SettingSource = (typeof settingSources)[number]

export type SettingField = SettingKind & {
  /** As in the file: `limits.maxSteps`. */
  key: string
  section: SettingSection
  label: string
  help: string
  value: SettingValue
  source: SettingSource
  /** The place where the value is set or can be changed: "beadloom.json on main", "the variable BEADLOOM_SLOTS". */
  where: string
  editable: boolean
  /** A person's choice here (for the server: the value in `config.json`); null: none. */
  here: SettingValue
  /** The value without that choice. */
  otherwise: SettingValue
  /** A sentence if another value applies on this machine, with the reason and what to do. */
  note?: string
  applies: 'at once' | 'to new executions' | 'at the next start'
}

export type SettingsHistory = {
  revision: number
  at: number
  changes: { key: string; from: SettingValue; to: SettingValue }[]
}

/** `revision` goes up with each change here. `file` is a sentence: the file that was read, and its commit. */
export type ProjectSettingsView = {
  project: string
  revision: number
  file: string
  problem: string | null
  fields: SettingField[]
  /** Newest first. */
  history: SettingsHistory[]
}

/** `revision` names the content of `config.json`. */
export type ServerSettingsView = {
  revision: string
  file: string
  problem: string | null
  fields: SettingField[]
  /** Never the secrets themselves. */
  secrets: { name: string; set: boolean; where: string; about: string }[]
}

const Value = z.union([
  z.string().check(z.maxLength(4000)),
  z.number(),
  z.boolean(),
  z.array(z.string().check(z.maxLength(200))).check(z.maxLength(50)),
  z.null(),
])

const Changes = z
  .record(z.string().check(z.minLength(1), z.maxLength(60)), Value)
  .check(z.refine((changes) => Object.keys(changes).length > 0, 'name at least one setting'))

/**
 * `revision` as the client read it: if somebody has changed settings since, the answer is 409. A null removes a choice.
 */
export const ChangeProjectSettings = z.strictObject({ revision: z.int(), changes: Changes })
export type ChangeProjectSettings = z.infer<typeof ChangeProjectSettings>

export const ChangeServerSettings = z.strictObject({ revision: z.string().check(z.maxLength(64)), changes: Changes })
export type ChangeServerSettings = z.infer<typeof ChangeServerSettings>
