import { devcontainerBase, devcontainerLines } from '../environment/devcontainer/devcontainer-words.ts'
import { toolchainWords } from '../environment/toolchains/toolchain-words.ts'
import { serviceWords } from '../environment/service-settings.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** Settings of a project's containers: their image, their contents, and the services beside them. */
export const environmentRows: readonly ProjectSettingRow[] = [
  { key: 'engine', section: 'runner', label: 'Engine', kind: 'text', longest: 32, of: ({ engine }) => engine },
  {
    key: 'image',
    section: 'runner',
    label: 'Base image',
    kind: 'text',
    longest: 300,
    of: ({ image, dockerfile, devcontainer }) =>
      image ?? dockerfile ?? (devcontainer && devcontainerBase(devcontainer)),
    detected: true,
    fixed: true,
  },
  {
    key: 'devcontainer',
    section: 'runner',
    label: 'Devcontainer',
    kind: 'list',
    of: ({ devcontainer }) =>
      devcontainer === null ? [] : [...devcontainerLines(devcontainer), ...devcontainer.missing],
    detected: true,
    fixed: true,
  },
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
    label: 'Setup secrets',
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
