import { ConfigError, describeIssue } from '@beadloom/core/project/config-error.ts'
import type {
  ChangeServerSettings,
  ServerSettingsView,
  SettingField,
  SettingValue,
} from '@beadloom/core/api/settings-api.ts'
import { Problem } from '../../http/ports.ts'
import { defaultAddresses, modelApis } from '../../process/model-settings.ts'
import { readConfigFile, revisionOf, writeConfigFile } from '../../process/config-file.ts'
import {
  ConfigFile,
  whereNotJson,
  type ConfigValues,
  type ServerSettings,
  type SettingsSources,
} from '../../process/settings.ts'
import { serverSettingTable, type ServerSettingRow } from './server-setting-table.ts'

type Parts = { settings: ServerSettings; defaults: SettingsSources['defaults'] }

/** The server's settings: the current values, and what `config.json` says for the next start. */
export function serverSettings({ settings }: Pick<Parts, 'settings'>) {
  const view = async (): Promise<ServerSettingsView> => {
    const { text, values, problem } = await readFile(settings.data)
    return {
      revision: revisionOf(text),
      file: 'config.json in the data folder',
      problem,
      fields: serverSettingTable.map((row) => fieldOf(row, settings, values)),
      secrets: secretsOf(settings),
    }
  }

  // One change at a time: two that read the same file would overwrite each other.
  let turn: Promise<unknown> = Promise.resolve()
  const change = (wish: ChangeServerSettings): Promise<ServerSettingsView | Problem> => {
    const done = turn.then(async () => {
      const { text, values, problem } = await readFile(settings.data)
      if (problem !== null)
        return new Problem(409, 'settings_broken', `${problem}. Fix the file by hand; nothing was changed.`)
      if (revisionOf(text) !== wish.revision)
        return new Problem(
          409,
          'settings_changed',
          'config.json was changed in the meantime: reload it, then make your change again.',
        )
      const next = changed(values, wish.changes, settings)
      if (next instanceof Problem) return next
      await writeConfigFile(settings.data, next)
      return view()
    })
    turn = done.catch(() => {})
    return done
  }
  return { view, change }
}

async function readFile(data: string): Promise<{ text: string | null; values: ConfigValues; problem: string | null }> {
  try {
    const text = await readConfigFile(data)
    if (text === null) return { text, values: {}, problem: null }
    const parsed = ConfigFile.safeParse(parsedJson(text))
    if (parsed.success) return { text, values: parsed.data, problem: null }
    return { text, values: {}, problem: `config.json: ${parsed.error.issues.map(describeIssue).join('; ')}` }
  } catch (error) {
    if (error instanceof ConfigError) return { text: null, values: {}, problem: error.problems.join('; ') }
    throw error
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigError('configuration', [`config.json: not JSON${whereNotJson(error)}`])
  }
}

function changed(
  values: ConfigValues,
  changes: Readonly<Record<string, SettingValue>>,
  { origins }: ServerSettings,
): ConfigValues | Problem {
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
  const parsed = ConfigFile.safeParse(Object.fromEntries(next))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(describeIssue)
  return new Problem(422, 'invalid_settings', problems.join('; '), problems)
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
      source === 'flag'
        ? `the flag ${where}`
        : source === 'environment'
          ? `the environment variable ${where}`
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

/** An address may contain a password, or a key as a parameter. */
function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}
