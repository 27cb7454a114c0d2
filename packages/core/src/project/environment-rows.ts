import { toolchainWords } from '../environment/toolchains/toolchain-words.ts'
import { serviceWords } from '../services/service-settings.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** What setup, agents and checks find beside the repository. */
export const environmentRows: readonly ProjectSettingRow[] = [
  {
    key: 'toolchains',
    section: 'runner',
    label: 'Toolchains',
    kind: 'list',
    of: ({ toolchains }) => [...toolchains.toolchains.map(toolchainWords), ...toolchains.missing],
    detected: true,
    fixed: true,
  },
  {
    key: 'env',
    section: 'runner',
    label: 'Environment',
    kind: 'list',
    of: ({ env }) => Object.entries(env).map(([name, value]) => `${name}=${value}`),
    fixed: true,
  },
  {
    key: 'secrets',
    section: 'runner',
    label: 'Secrets of setup',
    kind: 'list',
    of: ({ secrets }) => secrets,
    fixed: true,
  },
  {
    key: 'services',
    section: 'runner',
    label: 'Services',
    kind: 'list',
    of: ({ services }) => services.map(serviceWords),
    detected: true,
    fixed: true,
  },
]
