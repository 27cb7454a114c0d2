import { agentsByName, type AgentFile } from '@beadloom/core/agents/named/agents-by-name.ts'
import type { NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import { parseProjectConfig, resolveSettings, type ProjectConfig } from '@beadloom/core/project/project-config.ts'
import { changeOverrides, overlay, type ProjectOverrides } from '@beadloom/core/project/project-overrides.ts'
import { describeProjectSettings } from '@beadloom/core/views/project-settings-view.ts'
import type {
  ChangeProjectSettings,
  ChangeServerSettings,
  ProjectSettingsView,
  ServerSettingsView,
  SettingField,
  SettingsHistory,
} from '@beadloom/core/api/settings/settings-api.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import { now, type FixtureProject } from './fixture-data.ts'

/* Settings and the sync status, made up; what is changed on the dashboard is kept as long as the process runs. */

const MINUTE = 60_000

const own: AgentFile[] = [
  {
    path: '.beadloom/agents/dictionary-agent.md',
    text: '---\nname: dictionary-agent\ndescription: Looks words up in the dictionaries and explains their forms.\ntools: Read, Grep\n---\nYou know words.',
  },
  { path: '.claude/agents/draft.md', text: 'You are a draft.' },
]
const { agents, problems, notes } = agentsByName(own)
export const namedAgents: NamedAgentsView = {
  items: agents.map(({ prompt: _prompt, ...agent }) => agent),
  problems,
  notes,
}

const set = new Set(['NPM_TOKEN'])
const wanted = ['MAVEN_PASSWORD', 'NPM_TOKEN']

export function secretsOf(method: string, name: string | undefined): { items: SecretView[] } {
  if (name !== undefined && method === 'PUT') set.add(name)
  if (name !== undefined && method === 'DELETE') set.delete(name)
  const names = [...new Set([...wanted, ...set])].sort()
  return { items: names.map((one) => ({ name: one, set: set.has(one), wanted: wanted.includes(one) })) }
}

const file: ProjectConfig = parseProjectConfig(
  JSON.stringify({
    name: 'Wordcraft',
    techStack: ['TypeScript'],
    model: 'scripted',
    scenario: 'wordcraft',
    retry: { retryCount: 2 },
    limits: { memoryMb: 2048 },
  }),
)
const found = {
  setup: 'npm ci',
  test: 'npm test',
  checks: [],
  techStack: ['TypeScript', 'Node.js'],
  tools: [],
  devcontainer: {
    file: '.devcontainer/devcontainer.json',
    from: { file: '.devcontainer/devcontainer.json', line: 3 },
    image: null,
    official: 'mcr.microsoft.com/devcontainers/typescript-node:1-22-bookworm',
    dockerfile: null,
    tools: [],
    features: [],
    env: { TZ: 'UTC' },
    setup: 'npm ci',
    missing: [],
  },
  tests: [{ label: '', command: 'npm test' }],
  nested: [],
  untested: null,
  absent: [],
  services: [],
}

type Chosen = { revision: number; overrides: ProjectOverrides; history: SettingsHistory[] }
const chosen = new Map<string, Chosen>()
const chosenFor = (project: string): Chosen =>
  chosen.get(project) ?? {
    revision: 1,
    overrides: { limits: { executionTimeoutSeconds: 2700 } },
    history: [
      {
        revision: 1,
        at: now - 26 * 60 * MINUTE,
        changes: [{ key: 'limits.executionTimeoutSeconds', from: null, to: 2700 }],
      },
    ],
  }

export function projectSettings({ view }: FixtureProject): ProjectSettingsView {
  const { revision, overrides, history } = chosenFor(view.id)
  const base = view.baseBranch ?? 'main'
  const resolved = (config: ProjectConfig) => resolveSettings(config, found, view.id, base)
  const parts = {
    file,
    overrides,
    settings: resolved(overlay(file, overrides)),
    without: resolved(file),
    serverModel: null,
    baseBranch: base,
  }
  const fields = describeProjectSettings(parts)
  return { project: view.id, revision, file: `beadloom.json at 3f2a9c1 of ${base}`, problem: null, fields, history }
}

/** Throws `ConfigError`. */
export function changeSettings(project: FixtureProject, { revision, changes }: ChangeProjectSettings): void {
  const old = chosenFor(project.view.id)
  const before = projectSettings(project)
  const overrides = changeOverrides(old.overrides, changes, file)
  const told = Object.entries(changes).map(([key, to]) => ({
    key,
    from: before.fields.find((field) => field.key === key)?.here ?? null,
    to,
  }))
  const history = [{ revision: revision + 1, at: Date.now(), changes: told }, ...old.history]
  chosen.set(project.view.id, { revision: revision + 1, overrides, history })
}

const field = (given: Partial<SettingField> & Pick<SettingField, 'key' | 'section' | 'label' | 'help'>) =>
  ({
    kind: 'text',
    longest: 200,
    value: null,
    source: 'default',
    where: "Beadloom's default",
    editable: true,
    here: null,
    otherwise: null,
    applies: 'at the next start',
    ...given,
  }) as SettingField

const serverFields: SettingField[] = [
  field({
    key: 'slots',
    section: 'runner',
    label: 'Slots',
    help: 'Executions that run at once, across all projects.',
    ...({ kind: 'number', least: 1, most: 32, unit: '' } as const),
    value: 3,
    otherwise: 3,
  }),
  field({
    key: 'model',
    section: 'models',
    label: 'Model',
    help: 'For projects that name no model.',
    value: 'gpt-5-mini',
    source: 'environment',
    where: 'BEADLOOM_MODEL',
    editable: false,
  }),
  field({
    key: 'host',
    section: 'general',
    label: 'Address',
    help: 'The loopback address the server listens on.',
    value: '127.0.0.1',
    source: 'file',
    where: 'config.json in the data folder',
    here: '127.0.0.1',
    otherwise: '127.0.0.1',
  }),
]
let serverRevision = 1

export const serverSettings = (): ServerSettingsView => ({
  revision: String(serverRevision),
  file: 'config.json in the data folder',
  problem: null,
  fields: serverFields,
  secrets: [
    { name: 'OPENAI_API_KEY', set: true, where: "the server's environment", about: 'For models of OpenAI.' },
    { name: 'ANTHROPIC_API_KEY', set: false, where: "the server's environment", about: 'For models of Anthropic.' },
  ],
})

export function changeServer({ changes }: ChangeServerSettings): void {
  serverRevision++
  for (const one of serverFields) {
    const to = changes[one.key]
    if (to !== undefined) Object.assign(one, { here: to, source: to === null ? 'default' : 'file' })
  }
}

/** `wordcraft` waits for its tracker and its remote; every other project is as it should be. */
export function syncOf({ view }: FixtureProject): SyncView {
  const troubled = view.id === 'wordcraft'
  const why = 'Could not resolve host: git.example.org'
  return {
    project: view.id,
    running: false,
    syncedAt: view.syncedAt,
    problem: null,
    problemKind: null,
    warnings: view.warnings,
    tracker: {
      kind: 'jsonl',
      text: '.beads/issues.jsonl on the work branch',
      writable: true,
      waiting: troubled ? 2 : 0,
      problem: troubled ? 'The file was being written by somebody else; tried again every minute.' : '',
    },
    queue: troubled
      ? [
          { bead: 'wc-f01', kind: 'status', tries: 3, nextAt: now + 40_000, problem: 'the file is locked' },
          { bead: 'wc-f10', kind: 'create', tries: 0, nextAt: null, problem: '' },
        ]
      : [],
    remote: {
      source: view.source,
      baseBranch: view.baseBranch,
      baseCommit: '3f2a9c1d5e7b90aa41c2'.padEnd(40, '0'),
      workBranch: view.workBranch,
      ahead: troubled ? 7 : null,
      behind: troubled ? 2 : null,
    },
    pushes: troubled ? [{ execution: 'ex-0000000010', bead: 'wc-f01', tries: 4, nextAt: now + 95_000, why }] : [],
    runs: troubled
      ? [
          { at: now - 12_000, tookMs: 240, cause: 'execution', problem: null, warnings: 1, waiting: 2 },
          { at: now - 3 * MINUTE, tookMs: 10_020, cause: 'asked', problem: why, warnings: 1, waiting: 2 },
          { at: now - 62 * MINUTE, tookMs: 810, cause: 'start', problem: null, warnings: 1, waiting: 0 },
        ]
      : [],
  }
}
