import { agentNames, isPreset, presets } from './agents/presets.ts'
import type { ProjectSettings } from './project-config.ts'
import { retryBackoffs } from './retry.ts'
import type { SettingKind, SettingValue } from './settings-api.ts'
import type { SettingSection } from './settings-sections.ts'

/** How one setting of a project is shown: `of` reads it from what executions run with. */
export type ProjectSettingRow = SettingKind & {
  key: string
  section: SettingSection
  label: string
  of: (settings: ProjectSettings) => SettingValue
  /** Also found in the repository's files, where nobody says it. */
  detected?: true
  /** Belongs to the repository: changed in `beadloom.json`, not here. */
  fixed?: true
}

const DAY_S = 24 * 3600
const seconds = { kind: 'number', least: 1, most: 7 * DAY_S, unit: 's' } as const
const text = (longest: number) => ({ kind: 'text', longest }) as const
const toSeconds = (ms: number): number => ms / 1000
const MIB = 1024 ** 2

/** In the order in which people see them. Bounds are those of the schema; a test holds the two against each other. */
export const projectSettingTable: readonly ProjectSettingRow[] = [
  { key: 'name', section: 'general', label: 'Name', ...text(100), of: ({ name }) => name },
  {
    key: 'techStack',
    section: 'general',
    label: 'Languages and tools',
    kind: 'list',
    of: ({ techStack }) => techStack,
    detected: true,
    fixed: true,
  },
  {
    key: 'baseBranch',
    section: 'repository',
    label: 'Base branch',
    ...text(200),
    of: ({ baseBranch }) => baseBranch,
    detected: true,
    fixed: true,
  },
  {
    key: 'workBranch',
    section: 'repository',
    label: 'Work branch',
    ...text(200),
    of: ({ workBranch }) => workBranch,
    fixed: true,
  },
  {
    key: 'setup',
    section: 'repository',
    label: 'Setup',
    ...text(4000),
    of: ({ setup }) => setup,
    detected: true,
  },
  { key: 'test', section: 'repository', label: 'Tests', ...text(4000), of: ({ test }) => test, detected: true },
  {
    key: 'verify',
    section: 'repository',
    label: 'Checks',
    kind: 'list',
    of: ({ verify }) => verify.map(({ name, command }) => (name === command ? command : `${name}: ${command}`)),
    detected: true,
    fixed: true,
  },
  {
    key: 'image',
    section: 'runner',
    label: 'Base image',
    ...text(300),
    of: ({ image, dockerfile }) => image ?? dockerfile,
    fixed: true,
  },
  {
    key: 'network',
    section: 'runner',
    label: 'Network',
    kind: 'choice',
    choices: ['none', 'bridge'],
    of: ({ network }) => network,
  },
  {
    key: 'limits.cpus',
    section: 'runner',
    label: 'CPUs',
    kind: 'number',
    least: 0.1,
    most: 256,
    unit: 'CPUs',
    fraction: true,
    of: ({ limits }) => limits.cpus,
  },
  {
    key: 'limits.memoryMb',
    section: 'runner',
    label: 'Memory',
    kind: 'number',
    least: 64,
    most: MIB,
    unit: 'MiB',
    of: ({ limits }) => limits.memoryBytes / MIB,
  },
  {
    key: 'limits.processes',
    section: 'runner',
    label: 'Processes',
    kind: 'number',
    least: 16,
    most: 32768,
    unit: '',
    of: ({ limits }) => limits.processes,
  },
  {
    key: 'limits.executionTimeoutSeconds',
    section: 'limits',
    label: 'Longest execution',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.executionTimeoutMs),
  },
  {
    key: 'limits.inactivityTimeoutSeconds',
    section: 'limits',
    label: 'Longest silence',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.inactivityTimeoutMs),
  },
  {
    key: 'limits.setupTimeoutSeconds',
    section: 'limits',
    label: 'Longest setup',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.setupTimeoutMs),
  },
  {
    key: 'limits.testTimeoutSeconds',
    section: 'limits',
    label: 'Longest check',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.testTimeoutMs),
  },
  {
    key: 'limits.maxSteps',
    section: 'limits',
    label: 'Steps of an attempt',
    kind: 'number',
    least: 1,
    most: 1000,
    unit: '',
    of: ({ limits }) => limits.maxSteps,
  },
  {
    key: 'limits.maxTokens',
    section: 'limits',
    label: 'Tokens of an execution',
    kind: 'number',
    least: 1,
    most: Number.MAX_SAFE_INTEGER,
    unit: 'tokens',
    of: ({ limits }) => limits.maxTokens,
  },
  {
    key: 'limits.maxSessions',
    section: 'limits',
    label: 'Sessions of an execution',
    kind: 'number',
    least: 1,
    most: 100,
    unit: '',
    of: ({ limits }) => limits.maxSessions,
  },
  { key: 'model', section: 'models', label: 'Model', ...text(200), of: ({ model }) => model },
  {
    key: 'agent',
    section: 'models',
    label: 'Agent',
    kind: 'choice',
    choices: agentNames,
    of: ({ agent }) => agent,
    fixed: true,
  },
  {
    key: 'command',
    section: 'models',
    label: "The agent's command line",
    ...text(4000),
    of: ({ command }) => command,
    fixed: true,
  },
  {
    key: 'agentVersion',
    section: 'models',
    label: "The agent's version",
    ...text(60),
    of: ({ agent, agentVersion }) => (isPreset(agent) ? (agentVersion ?? presets[agent].version) : null),
    fixed: true,
  },
  {
    key: 'agentArguments',
    section: 'models',
    label: "The agent's further arguments",
    kind: 'list',
    of: ({ agentArguments }) => agentArguments,
    fixed: true,
  },
  {
    key: 'verification.maxAttempts',
    section: 'retries',
    label: 'Attempts until the checks pass',
    kind: 'number',
    least: 1,
    most: 3,
    unit: '',
    of: ({ maxAttempts }) => maxAttempts,
  },
  {
    key: 'retry.retryCount',
    section: 'retries',
    label: 'More runs after a failed one',
    kind: 'number',
    least: 0,
    most: 10,
    unit: '',
    of: ({ retry }) => retry.retryCount,
  },
  {
    key: 'retry.retryDelay',
    section: 'retries',
    label: 'Delay before the next run',
    kind: 'number',
    least: 0,
    most: 60_000,
    unit: 'ms',
    of: ({ retry }) => retry.retryDelay,
  },
  {
    key: 'retry.retryBackoff',
    section: 'retries',
    label: 'How the delay grows',
    kind: 'choice',
    choices: retryBackoffs,
    of: ({ retry }) => retry.retryBackoff,
  },
  {
    key: 'retry.retryOn',
    section: 'retries',
    label: 'Only for errors with',
    kind: 'list',
    of: ({ retry }) => retry.retryOn,
  },
  {
    key: 'retry.retryMaxTime',
    section: 'retries',
    label: 'No run starts later than',
    kind: 'number',
    least: 0,
    most: 7 * DAY_S * 1000,
    unit: 'ms',
    of: ({ retry }) => retry.retryMaxTime ?? 0,
  },
  {
    key: 'review.model',
    section: 'review',
    label: "The reviewer's model",
    ...text(200),
    of: ({ review, model }) => review.model ?? model,
  },
  {
    key: 'review.agent',
    section: 'review',
    label: "The reviewer's agent",
    kind: 'choice',
    choices: agentNames,
    of: ({ review, agent }) => review.agent ?? agent,
  },
]
