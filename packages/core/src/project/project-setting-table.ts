import { agentNames, isPreset } from '../agents/agent-names.ts'
import { presets } from '../agents/presets.ts'
import { retryBackoffs } from '../records/retry.ts'
import { environmentRows } from './environment-rows.ts'
import { budgetRows } from './budget-rows.ts'
import { commitRows } from './commit-rows.ts'
import { freshStartRows } from './fresh-start-rows.ts'
import { otherAgentRows } from './other-agent-rows.ts'
import { slotRows } from './slot-rows.ts'
import { verificationRows } from './verification-rows.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

const DAY_S = 24 * 3600
const seconds = { kind: 'number', least: 1, most: 7 * DAY_S, unit: 's' } as const
const count = (least: number, most: number) => ({ kind: 'number', least, most, unit: '' }) as const
const text = (longest: number) => ({ kind: 'text', longest }) as const
const toSeconds = (ms: number): number => ms / 1000
const MIB = 1024 ** 2

/** In the order in which people see them. Bounds are those of the schema; a test compares the two. */
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
  ...commitRows,
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
    of: ({ verify, judges, unverified }) => [
      ...(unverified ? ['nothing is checked ("verify": [])'] : []),
      ...verify.map(
        ({ name, command, paths }) =>
          `${name === command ? '' : `${name}: `}${command}${paths === undefined ? '' : ` (for changes in ${paths.join(', ')})`}`,
      ),
      ...judges.map(
        ({ name, prompt, required }) => `${name} (a model's opinion${required ? '' : ', not required'}): ${prompt}`,
      ),
    ],
    detected: true,
    fixed: true,
  },
  ...environmentRows,
  {
    key: 'network',
    section: 'runner',
    label: 'Network',
    kind: 'choice',
    choices: ['none', 'bridge'],
    of: ({ network }) => network,
  },
  {
    key: 'network.allow',
    section: 'runner',
    label: 'Allowed hosts',
    kind: 'list',
    of: ({ allow }) => allow,
    fixed: true,
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
    ...count(16, 32768),
    of: ({ limits }) => limits.processes,
  },
  ...slotRows,
  {
    key: 'limits.executionTimeoutSeconds',
    section: 'limits',
    label: 'Execution timeout',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.executionTimeoutMs),
  },
  {
    key: 'limits.inactivityTimeoutSeconds',
    section: 'limits',
    label: 'Inactivity timeout',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.inactivityTimeoutMs),
  },
  {
    key: 'limits.setupTimeoutSeconds',
    section: 'limits',
    label: 'Setup timeout',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.setupTimeoutMs),
  },
  {
    key: 'limits.testTimeoutSeconds',
    section: 'limits',
    label: 'Check timeout',
    ...seconds,
    of: ({ limits }) => toSeconds(limits.testTimeoutMs),
  },
  {
    key: 'limits.maxSteps',
    section: 'limits',
    label: 'Steps per attempt',
    ...count(1, 1000),
    of: ({ limits }) => limits.maxSteps,
  },
  ...budgetRows,
  {
    key: 'limits.maxSessions',
    section: 'limits',
    label: 'Sessions per execution',
    ...count(1, 100),
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
    label: "The agent's extra arguments",
    kind: 'list',
    of: ({ agentArguments }) => agentArguments,
    fixed: true,
  },
  ...verificationRows,
  {
    key: 'retry.retryCount',
    section: 'retries',
    label: 'Retries',
    ...count(0, 10),
    of: ({ retry }) => retry.retryCount,
  },
  {
    key: 'retry.retryDelay',
    section: 'retries',
    label: 'Delay before a retry',
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
    label: 'Only for errors that contain',
    kind: 'list',
    of: ({ retry }) => retry.retryOn,
  },
  {
    key: 'retry.retryMaxTime',
    section: 'retries',
    label: 'No retry starts later than',
    kind: 'number',
    least: 0,
    most: 7 * DAY_S * 1000,
    unit: 'ms',
    of: ({ retry }) => retry.retryMaxTime ?? 0,
  },
  ...freshStartRows,
  ...otherAgentRows,
]
