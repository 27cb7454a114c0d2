import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod/mini'
import { ConfigError, describeIssue } from '@beadloom/core/settings/config-error.ts'
import { budgetShape, budgetSettings, type BudgetSettings } from '@beadloom/core/budget/budget-settings.ts'
import { engineName, LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { engineSettings, readEngines, runtimeName, type EngineSettings } from './engine-settings.ts'
import { peopleSettings, readPeople, type PeopleSettings } from './people-settings.ts'
import { readWebhooks, webhookSettings, type WebhookSettings } from './webhook-settings.ts'
import { signingSettings, type Signing } from './signing-settings.ts'
import { modelSettings, readModelSettings, type ModelSettings } from './model-settings.ts'

/** The server's settings after flags, environment and `config.json`, in that order of precedence. */
export type ServerSettings = {
  /** Absolute path of the data folder. */
  data: string
  host: string
  port: number
  slots: number
  /** The most sandboxes that wait for an execution, never more than slots; 0: none is opened ahead. */
  warm: number
  /** Whether an empty data folder gets the demo project. */
  demo: boolean
  /** Whether the database is backed up every hour. */
  backups: boolean
  /** Whether sandboxes may be opened that the engine cannot limit in memory or processes. */
  allowUnlimited: boolean
  /** Model for projects that name none. */
  model: string | null
  /** Folder with the scripted model's scenarios. */
  scenarios: string
  logLevel: string
  /** A PEM bundle that containers and image builds trust, in addition to those in the environment; null: none. */
  caBundle: string | null
  models: ModelSettings
  /** The most that all projects together may use in a day. */
  budget: BudgetSettings<'config.json'>
  /** Receivers of news. Their addresses are secrets. */
  webhooks: WebhookSettings[]
  /** Engines beside `local`, by their names. */
  engines: ReadonlyMap<string, EngineSettings>
  /** For projects that name none; null: `local`. */
  engine: string | null
  /** The runtime of `local`, and of every other Docker without a setting of its own; null: the engine decides. */
  runtime: string | null
  /** Working trees in which `bd` may follow the contents of `.beads`. */
  trustedTrackers: readonly string[]
  /** Names, with `*`, of images that are on an engine's machine and that repositories may use. */
  images: readonly string[]
  /** People's way of signing in beside the access token; null: there is none. */
  people: PeopleSettings | null
  /** The key with which the server signs the commits that it makes; null: it signs none. */
  signing: Signing | null
  /** The origin of each value that has a flag. */
  origins: Record<Key, Origin>
}

/** `where`: the flag or the variable; '' for the file and the defaults. */
export type Origin = { source: 'flag' | 'environment' | 'file' | 'default'; where: string }

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const wholeNumber = (least: number, most: number) => {
  const says = `must be a whole number from ${least} to ${most}`
  return z.int(says).check(z.minimum(least, says), z.maximum(most, says))
}

const flagSchema = {
  host: z
    .string()
    .check(
      z.refine(
        isLoopback,
        'must be a loopback address: Beadloom has no TLS of its own; to reach it from elsewhere, put a proxy with TLS in front of it',
      ),
    ),
  port: wholeNumber(0, 65535),
  slots: wholeNumber(1, 32),
  warm: wholeNumber(0, 32),
  demo: z.boolean('must be true or false'),
  backups: z.boolean('must be true or false'),
  allowUnlimited: z.boolean('must be true or false'),
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  scenarios: z.string().check(z.minLength(1)),
  logLevel: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
  caBundle: z.string().check(z.minLength(1)),
}

/** `config.json` in the data folder. */
export const ConfigFile = z.strictObject({
  host: z.optional(flagSchema.host),
  port: z.optional(flagSchema.port),
  slots: z.optional(flagSchema.slots),
  warm: z.optional(flagSchema.warm),
  demo: z.optional(flagSchema.demo),
  backups: z.optional(flagSchema.backups),
  allowUnlimited: z.optional(flagSchema.allowUnlimited),
  model: z.optional(flagSchema.model),
  scenarios: z.optional(flagSchema.scenarios),
  logLevel: z.optional(flagSchema.logLevel),
  caBundle: z.optional(flagSchema.caBundle),
  ...budgetShape('config.json'),
  webhooks: z.optional(webhookSettings),
  engines: z.optional(engineSettings),
  /** The engine of projects that name none. */
  engine: z.optional(engineName),
  runtime: z.optional(runtimeName),
  trustedTrackers: z.optional(
    z.array(z.string().check(z.refine(isAbsolute, 'must be an absolute path'))).check(z.maxLength(1000)),
  ),
  images: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(1000))),
  people: z.optional(peopleSettings),
  signing: z.optional(signingSettings),
  ...modelSettings,
})
export type ConfigValues = z.infer<typeof ConfigFile>
type Values = { [K in keyof typeof flagSchema]?: z.infer<(typeof flagSchema)[K]> | undefined }
export type SettingKey = keyof Values
type Key = SettingKey

/** Flags of the command line, all text; absent: undefined. `demo` false is `--no-demo`, and the same for `backups`. */
export type Flags = { data?: string } & { [K in Key]?: string | boolean | undefined }
export type Environment = Record<string, string | undefined>

/** The variable of each setting that has a flag. */
export const variables: Record<Key, string> = {
  host: 'BEADLOOM_HOST',
  port: 'BEADLOOM_PORT',
  slots: 'BEADLOOM_SLOTS',
  warm: 'BEADLOOM_WARM',
  demo: 'BEADLOOM_DEMO',
  backups: 'BEADLOOM_BACKUPS',
  allowUnlimited: 'BEADLOOM_ALLOW_UNLIMITED',
  model: 'BEADLOOM_MODEL',
  scenarios: 'BEADLOOM_SCENARIOS',
  logLevel: 'BEADLOOM_LOG_LEVEL',
  caBundle: 'BEADLOOM_CA_BUNDLE',
}
const keys = Object.keys(variables) as Key[]
export const flagName = (key: string): string => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** `--data`, `BEADLOOM_DATA`, else `beadloom` in the XDG data home. */
export function dataFolder(flag: string | undefined, env: Environment, cwd: string): string {
  const chosen = flag ?? env['BEADLOOM_DATA']
  if (chosen) return resolve(cwd, chosen)
  const xdg = env['XDG_DATA_HOME']
  const home = env['HOME']
  if (xdg && isAbsolute(xdg)) return join(xdg, 'beadloom')
  if (home) return join(home, '.local', 'share', 'beadloom')
  throw new ConfigError('configuration', ['no data folder: use --data FOLDER or set BEADLOOM_DATA (HOME is not set)'])
}

export type SettingsSources = {
  /** Whether the network is a container's own (`hasOwnNetwork`); absent: it is not. */
  ownNetwork?: boolean
  flags: Flags
  env: Environment
  configFile: string | null
  cwd: string
  defaults: { scenarios: string }
}

/** Reads all settings. Throws `ConfigError` with all problems at once, each with the place where it was set. */
export function readSettings(from: SettingsSources): ServerSettings {
  const problems: string[] = []
  const file = readFile(from.configFile, problems)
  const pick = <K extends Key>(key: K, otherwise: NonNullable<Values[K]>): NonNullable<Values[K]> =>
    pickOne(key, from, problems) ?? file[key] ?? otherwise
  const { env } = from
  const slots = pick('slots', 3)
  const values = {
    data: dataFolder(from.flags.data, env, from.cwd),
    host: pick('host', '127.0.0.1'),
    port: pick('port', 4600),
    slots,
    warm: Math.min(pick('warm', slots), slots),
    demo: pick('demo', true),
    backups: pick('backups', true),
    allowUnlimited: pick('allowUnlimited', false),
    model: pickOne('model', from, problems) ?? file.model ?? null,
    scenarios: resolve(from.cwd, pick('scenarios', from.defaults.scenarios)),
    logLevel: pick('logLevel', 'warn'),
    caBundle: absolute(pickOne('caBundle', from, problems) ?? file.caBundle, from.cwd),
    models: readModelSettings(file, env, {
      OPENAI_BASE_URL: webAddress('OPENAI_BASE_URL', env, problems),
      ANTHROPIC_BASE_URL: webAddress('ANTHROPIC_BASE_URL', env, problems),
    }),
    budget: budgetSettings('config.json', file),
    webhooks: readWebhooks(file.webhooks),
    engines: readEngines(file.engines),
    engine: usualEngine(file, problems),
    runtime: file.runtime ?? null,
    trustedTrackers: (file.trustedTrackers ?? []).map((path) => resolve(path)),
    images: file.images ?? [],
    people: readPeople(file.people),
    signing: file.signing ?? null,
    origins: Object.fromEntries(keys.map((key) => [key, originOf(key, from, file)])) as Record<Key, Origin>,
  }
  if (problems.length > 0) throw new ConfigError('configuration', problems)
  return values
}

function usualEngine({ engine, engines = {} }: ConfigValues, problems: string[]): string | null {
  if (engine !== undefined && engine !== LOCAL_ENGINE && !(engine in engines))
    problems.push(`config.json: engine: there is no engine "${engine}" under "engines"`)
  return engine ?? null
}

/**
 * The place of an error in the file. Node's own sentence quotes the file, in which addresses of webhooks are secrets.
 */
export const whereNotJson = (error: unknown): string => {
  const [where] = /line \d+ column \d+/.exec(String(error)) ?? []
  return where === undefined ? '' : ` (${where})`
}

const absolute = (path: string | undefined, cwd: string): string | null =>
  path === undefined ? null : resolve(cwd, path)

function readFile(text: string | null, problems: string[]): ConfigValues {
  if (text === null) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    problems.push(`config.json: not JSON${whereNotJson(error)}`)
    return {}
  }
  const parsed = ConfigFile.safeParse(value)
  if (parsed.success) return parsed.data
  problems.push(...parsed.error.issues.map((issue) => `config.json: ${describeIssue(issue)}`))
  return {}
}

/** All addresses of this process. Only in a container: there the engine decides which connections come in. */
export const EVERY_ADDRESS = '0.0.0.0'

function pickOne<K extends Key>(key: K, from: SettingsSources, problems: string[]): NonNullable<Values[K]> | undefined {
  const flag = from.flags[key]
  const variable = variables[key]
  const [given, where] = flag !== undefined ? [flag, flagName(key)] : [from.env[variable], variable]
  if (given === undefined || given === '') return undefined
  if (key === 'host' && given === EVERY_ADDRESS && from.ownNetwork) return given as NonNullable<Values[K]>
  const parsed = z.safeParse(flagSchema[key], fromText(key, given))
  if (parsed.success) return parsed.data as NonNullable<Values[K]>
  problems.push(`${where} (${JSON.stringify(given)}): ${parsed.error.issues.map((issue) => issue.message).join(', ')}`)
  return undefined
}

function originOf(key: Key, { flags, env }: SettingsSources, file: Values): Origin {
  if (flags[key] !== undefined && flags[key] !== '')
    return { source: 'flag', where: flags[key] === false ? `--no-${key}` : flagName(key) }
  const variable = variables[key]
  // A flag that is given but empty hides the variable, as in `pickOne`.
  if (flags[key] === undefined && env[variable]) return { source: 'environment', where: variable }
  return { source: file[key] === undefined ? 'default' : 'file', where: '' }
}

function fromText(key: Key, given: string | boolean): unknown {
  if (typeof given === 'boolean') return given
  if (key === 'port' || key === 'slots' || key === 'warm') return /^\d+$/.test(given) ? Number(given) : given
  if (key === 'demo' || key === 'backups' || key === 'allowUnlimited')
    return { true: true, '1': true, false: false, '0': false }[given] ?? given
  return given
}

function webAddress(variable: string, env: Environment, problems: string[]): string | null {
  const given = env[variable]
  if (!given) return null
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given
  problems.push(`${variable}: not an http(s) address`)
  return null
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
