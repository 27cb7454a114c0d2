import type { SettingKind, SettingValue } from '@beadloom/core/project/setting-value.ts'
import type { SettingSection } from '@beadloom/core/project/settings-sections.ts'
import type { ServerSettings, SettingKey } from '../../process/settings/settings.ts'

export type ServerSettingRow = SettingKind & {
  key: SettingKey
  section: SettingSection
  label: string
  help: string
  of: (settings: ServerSettings) => SettingValue
}

const text = (longest: number) => ({ kind: 'text', longest }) as const

/** The settings of `config.json`, in the order in which people see them. */
export const serverSettingTable: readonly ServerSettingRow[] = [
  {
    key: 'slots',
    section: 'runner',
    label: 'Slots',
    help: 'Executions that run at once, across all projects.',
    kind: 'number',
    least: 1,
    most: 32,
    unit: '',
    of: ({ slots }) => slots,
  },
  {
    key: 'warm',
    section: 'runner',
    label: 'Waiting containers',
    help: 'How many containers may be opened ahead, across all projects; never more than slots. 0: none.',
    kind: 'number',
    least: 0,
    most: 32,
    unit: '',
    of: ({ warm }) => warm,
  },
  {
    key: 'model',
    section: 'models',
    label: 'Model',
    help: 'For projects that name no model.',
    ...text(200),
    of: ({ model }) => model,
  },
  {
    key: 'scenarios',
    section: 'models',
    label: 'Scenarios',
    help: 'Folder with the recordings that the scripted model replays; no AI.',
    ...text(4000),
    of: ({ scenarios }) => scenarios,
  },
  {
    key: 'host',
    section: 'general',
    label: 'Address',
    help: 'The loopback address the server listens on.',
    ...text(100),
    of: ({ host }) => host,
  },
  {
    key: 'port',
    section: 'general',
    label: 'Port',
    help: 'The port the server listens on. 0 picks any free one.',
    kind: 'number',
    least: 0,
    most: 65_535,
    unit: '',
    of: ({ port }) => port,
  },
  {
    key: 'demo',
    section: 'general',
    label: 'Demo project',
    help: 'Whether an empty data folder gets the demo project.',
    kind: 'boolean',
    of: ({ demo }) => demo,
  },
  {
    key: 'backups',
    section: 'general',
    label: 'Backups',
    help: 'Whether the server backs up its database every hour.',
    kind: 'boolean',
    of: ({ backups }) => backups,
  },
  {
    key: 'logLevel',
    section: 'general',
    label: 'Server log',
    help: 'Which messages go to standard error.',
    kind: 'choice',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    of: ({ logLevel }) => logLevel,
  },
  {
    key: 'allowUnlimited',
    section: 'runner',
    label: 'Without limits',
    help: 'Whether containers start where the engine cannot limit their memory or processes.',
    kind: 'boolean',
    of: ({ allowUnlimited }) => allowUnlimited,
  },
  {
    key: 'caBundle',
    section: 'runner',
    label: 'Certificates',
    help: 'A PEM file with extra certificates that containers and image builds trust.',
    ...text(4000),
    of: ({ caBundle }) => caBundle,
  },
]
