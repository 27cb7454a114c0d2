import type {
  ChangeServerSettings,
  ServerSettingsView,
  SettingField,
} from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'
import { Problem } from '../../ports/problem.ts'
import { defaultAddresses, modelApis } from '../../process/settings/model-settings.ts'
import { revisionOf } from '../../process/settings/config-file.ts'
import type { ConfigValues, ServerSettings } from '../../process/settings/settings.ts'
import type { ConfigChanges } from '../../app/settings/config-changes.ts'
import { serverSettingTable, type ServerSettingRow } from '../../app/settings/server-setting-table.ts'

export type ServerSettingsDeps = { settings: ServerSettings; config: ConfigChanges }

/** The server's settings: the current values, and those of `config.json` for the next start. */
export function serverSettings({ settings, config }: ServerSettingsDeps) {
  const view = async (): Promise<ServerSettingsView> => {
    const { text, values, problem } = await config.read()
    return {
      revision: revisionOf(text),
      file: 'config.json in the data folder',
      problem,
      fields: serverSettingTable.map((row) => fieldOf(row, settings, values)),
      secrets: secretsOf(settings),
    }
  }
  const change = async (wish: ChangeServerSettings): Promise<ServerSettingsView | Problem> => {
    const done = await config.change(({ text, values }) =>
      revisionOf(text) === wish.revision
        ? changed(values, wish.changes, settings)
        : new Problem(
            409,
            'settings_changed',
            'config.json was changed in the meantime: reload it, then make your change again.',
          ),
    )
    return done instanceof Problem ? done : view()
  }
  return { view, change }
}

function changed(
  values: ConfigValues,
  changes: Readonly<Record<string, SettingValue>>,
  { origins }: ServerSettings,
): object | Problem {
  const known = new Map(serverSettingTable.map((row) => [row.key as string, row]))
  const next = new Map(Object.entries(values as Record<string, unknown>))
  for (const [key, value] of Object.entries(changes)) {
    const row = known.get(key)
    if (!row) return new Problem(422, 'unknown_setting', `there is no setting ${JSON.stringify(key)}`)
    const { source, where } = origins[row.key]
    if (source === 'flag' || source === 'environment')
      return new Problem(422, 'not_here', `${key} is set by ${where}, which overrides config.json: change it there`)
    if (value === null) next.delete(key)
    else next.set(key, value)
  }
  return Object.fromEntries(next)
}

function fieldOf(row: ServerSettingRow, settings: ServerSettings, values: ConfigValues): SettingField {
  const { of, ...shown } = row
  const { source, where } = settings.origins[row.key]
  const elsewhere = source === 'flag' || source === 'environment'
  const value = of(settings)
  return {
    ...shown,
    value,
    source,
    where:
      source === 'flag' || source === 'environment'
        ? where
        : source === 'file'
          ? 'config.json in the data folder'
          : "Beadloom's default",
    editable: !elsewhere,
    here: values[row.key] ?? null,
    otherwise: source === 'default' ? value : null,
    applies: 'at the next start',
  }
}

/** One row per variable: two APIs may share a key. */
function secretsOf({ models }: ServerSettings): ServerSettingsView['secrets'] {
  const rows = new Map<string, ServerSettingsView['secrets'][number]>()
  for (const api of modelApis) {
    const { keyVariable: name, apiKey, baseUrl } = models.upstreams[api]
    if (rows.has(name)) continue
    const address = baseUrl === null ? defaultAddresses[api] : withoutSecrets(baseUrl)
    rows.set(name, { name, set: apiKey !== null, where: "the server's environment", about: `for ${address}` })
  }
  return [...rows.values()]
}

/** Removes the password, or the key as a parameter, that an address may contain. */
function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}
