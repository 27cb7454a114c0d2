import type { z } from 'zod/mini'
import { parseIdentity, type Identity } from '../records/identity.ts'
import type { AgentName } from '../agents/agent-names.ts'
import { DEFAULT_PAUSE_MS, type OnBlocked } from '../records/pause.ts'
import { DEFAULT_ANSWER_MS, budgetSettings, type BudgetSettings, type OnLimit } from '../budget/budget-settings.ts'
import { usuallyIgnored } from '../bead/ignored.ts'
import { USUAL_WEIGHT } from '../dispatch/shares.ts'
import { resolveFreshStarts, type FreshStarts } from '../execution/fresh-starts/fresh-starts.ts'
import { resolveRetry, type RetryPolicy } from '../records/retry.ts'
import { defaultPlanning, usualWhen, type PlanningChoice, type PlanningSettings } from '../records/planning.ts'
import type { OriginalTestsMode } from '../verdict/original-tests.ts'
import type { ElsewhereMode } from '../elsewhere/elsewhere-words.ts'
import type { SecretMode } from '../secrets/secret-words.ts'
import type { JudgeStep, VerifyStep } from '../records/verification.ts'
import { DEFAULT_WORK_BRANCH } from './branch-name.ts'
import { ConfigError, describeIssueAmong, MOST_PROBLEMS } from '../settings/config-error.ts'
import type { Detected } from '../environment/commands/detected.ts'
import { jsonProblem } from '../text/json-problem.ts'
import { hasMoreValues } from '../text/json-values.ts'
import { shellWord } from '../text/shell-word.ts'
import { devcontainerCounts, type DevcontainerPlan } from '../environment/devcontainer/devcontainer-plan.ts'
import { toolchainsFor } from '../environment/devcontainer/toolchains-for.ts'
import { noToolchains, type ToolchainPlan } from '../environment/toolchains/offer.ts'
import { servicesFrom, servicesIn, type ServiceSettings } from '../environment/service-settings.ts'
import { problemsOf } from './project-config-problems.ts'
import { beadsOf, ProjectConfig } from './project-config-schema.ts'
import { isApart, validRest } from './valid-rest.ts'
import { checksOf } from './verify-steps.ts'

export { ProjectConfig } from './project-config-schema.ts'

/** The most that is read of a `beadloom.json`: everybody who may push to a repository decides its length. */
export const configBounds = { bytes: 256 * 1024, values: 10_000 } as const

/** Throws `ConfigError` with every problem at once, each with its path. */
export function parseProjectConfig(text: string, file = 'beadloom.json'): ProjectConfig {
  if (hasMoreValues(text, configBounds.values))
    throw new ConfigError(file, [`it has more than ${configBounds.values} values`])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ConfigError(file, [`not JSON (${jsonProblem(text) ?? 'for a reason that is not known'})`])
  }
  const parsed = ProjectConfig.safeParse(value)
  const { problems, more } = parsed.success
    ? { problems: problemsOf(parsed.data), more: 0 }
    : refusal(value, parsed.error)
  if (problems.length > 0 || !parsed.success) throw new ConfigError(file, problems, more)
  return parsed.data
}

/** The problems of a file that its schema refuses, with those of its valid keys in combination. */
function refusal(value: unknown, { issues }: z.core.$ZodError): { problems: string[]; more: number } {
  const named = issues.slice(0, MOST_PROBLEMS).map(describeIssueAmong(Object.keys(ProjectConfig.shape)))
  const rest = validRest(ProjectConfig, value, issues)
  const beside = rest === null ? [] : problemsOf(rest.data).filter((problem) => isApart(rest, problem))
  return { problems: [...named, ...beside], more: issues.length - named.length }
}

/** The settings of an execution, after detection and defaults. */
export type ProjectSettings = {
  name: string
  techStack: string[]
  image: string | null
  dockerfile: string | null
  /** The plan of its containers if `beadloom.json` names no image. */
  devcontainer: DevcontainerPlan | null
  /** The toolchains of its image if it names none. */
  toolchains: ToolchainPlan
  /** The toolchains of its image if the devcontainer's image is unavailable; null: no devcontainer counts. */
  instead: ToolchainPlan | null
  /** The name of the engine of its containers; null: the server's default. */
  engine: string | null
  setup: string | null
  /** Sentences about files that the repository only points to and `setup` does not fetch. */
  absent: string[]
  /** Folders below the root with commands of their own: their lock files also decide what `setup` installs. */
  folders: string[]
  /** The project sets it itself, or says that there is nothing to prepare; else it was detected. */
  ownSetup: boolean
  /** Variables of setup, checks and agents. */
  env: Record<string, string>
  /** Names of further variables that only `setup` gets. */
  secrets: string[]
  /** Services that are started beside each attempt of an agent and each verification. */
  services: ServiceSettings[]
  test: string | null
  /**
   * A file of tests, if no command is known that runs tests: nothing starts then. Null: there is no such file, or a
   * command is known.
   */
  untested: string | null
  /** Folders with tests that no check runs: work on them is not checked. Absent: there are none. */
  left?: string[]
  agent: AgentName
  command: string | null
  /** Null: the version that Beadloom was tested with. */
  agentVersion: string | null
  agentArguments: string[]
  model: string | null
  scenario: string | null
  /** The network of the containers of agents and checks. */
  network: 'none' | 'bridge'
  /** Hosts that they and `setup` reach through the server's proxy, without any other network. */
  allow: string[]
  /** The list of hosts is empty, so `setup` and builds have no network either. */
  sealed?: true
  baseBranch: string
  workBranch: string
  /** `squash`: one commit a bead on the work branch. */
  commits: 'keep' | 'squash'
  /** Null: the person who started the execution. */
  author: Identity | null
  /** Null: the author. */
  committer: Identity | null
  autopilot: boolean
  /** The number of sandboxes that are opened ahead. */
  warm: number
  /**
   * `limit`: the most slots it may have at once, null for any number; `weight`: its share compared with other projects.
   */
  slots: { limit: number | null; weight: number }
  limits: BudgetSettings<'beadloom.json'> & {
    cpus: number
    memoryBytes: number
    processes: number
    executionTimeoutMs: number
    inactivityTimeoutMs: number
    setupTimeoutMs: number
    testTimeoutMs: number
    maxSteps: number
    /**
     * Percent of a limit of tokens or money at which people are warned, and the built-in agent first; null: the
     * default.
     */
    warnAtPercent: number | null
    /** The time that an execution waits for a person at such a limit. */
    answerTimeoutMs: number
    /** The longest pause by a person who names no other time. */
    pauseMs: number
    maxSessions: number
  }
  onLimit: OnLimit
  onBlocked: OnBlocked
  maxAttempts: number
  /** The tests of verified work are run without its change. */
  redGreen: boolean
  /** The checks run on the base before anything starts. */
  proveBase: boolean
  /** Work whose tests cannot run on the base is accepted, and says so. */
  acceptUnchecked: boolean
  /** The reaction to work that adds something that looks like a secret; `off`: nobody looks. */
  foundSecrets: SecretMode
  /**
   * Work that changed tests is also checked with the former tests; this is the reaction if one that passed before
   * fails.
   */
  originalTests: OriginalTestsMode
  /** Changes of files that run elsewhere which need a person's approval, unless the bead names them. */
  elsewhere: ElsewhereMode
  /** At least one if `test` is known. Empty: no command verifies work. Names are unique. */
  verify: VerifyStep[]
  /** The project names its checks, but no command is among them: all work of agents is accepted. */
  unverified: boolean
  /** Models that judge the work after every command has passed. */
  judges: JudgeStep[]
  retry: RetryPolicy
  freshStarts: FreshStarts
  tracker: { write: boolean }
  /** Beads that are no work, by rules for labels, types and ids. */
  ignore: string[]
  beads: Record<
    string,
    { agent?: AgentName | undefined; command?: string | undefined; planning?: PlanningChoice | undefined }
  >
  /** Null: the same as the author. */
  review: { agent: AgentName | null; command: string | null; model: string | null }
  planning: PlanningSettings
}

/**
 * 4 CPUs and 8 GiB for each of three containers, and 6 hours. 100 steps, because ten were far too few for real work.
 */
export const defaultLimits: ProjectSettings['limits'] = {
  cpus: 4,
  memoryBytes: 8 * 1024 ** 3,
  processes: 512,
  executionTimeoutMs: 21_600_000,
  inactivityTimeoutMs: 21_600_000,
  setupTimeoutMs: 1_800_000,
  testTimeoutMs: 1_800_000,
  maxSteps: 100,
  ...budgetSettings('beadloom.json', {}),
  warnAtPercent: null,
  answerTimeoutMs: DEFAULT_ANSWER_MS,
  pauseMs: DEFAULT_PAUSE_MS,
  maxSessions: 10,
}

/** The limits of each container of a project. */
export const containerLimits = ({
  limits = {},
}: ProjectConfig): Pick<ProjectSettings['limits'], 'cpus' | 'memoryBytes' | 'processes'> => ({
  cpus: limits.cpus ?? defaultLimits.cpus,
  memoryBytes: limits.memoryMb === undefined ? defaultLimits.memoryBytes : limits.memoryMb * 1024 ** 2,
  processes: limits.processes ?? defaultLimits.processes,
})

export const DEFAULT_WARM = 1
export const usualSlots: ProjectSettings['slots'] = { limit: null, weight: USUAL_WEIGHT }

export function resolveSettings(
  config: ProjectConfig,
  found: Detected,
  name: string,
  defaultBranch: string,
): ProjectSettings {
  const limits = config.limits ?? {}
  const ms = (value: number | undefined, otherwise: number) => (value === undefined ? otherwise : value * 1000)
  const { devcontainer: read } = found
  const devcontainer = read !== null && devcontainerCounts(read, config) ? read : null
  const executionTimeoutMs = ms(limits.executionTimeoutSeconds, defaultLimits.executionTimeoutMs)
  return {
    name: config.name ?? name,
    techStack: config.techStack ?? found.techStack,
    image: config.image ?? null,
    dockerfile: config.dockerfile ?? null,
    devcontainer,
    toolchains:
      config.image !== undefined || config.dockerfile !== undefined
        ? noToolchains
        : toolchainsFor(found.tools, devcontainer, config.toolchains),
    instead: devcontainer === null ? null : toolchainsFor(found.tools, null, config.toolchains),
    engine: config.engine ?? null,
    setup: config.setup === undefined ? setupOf(devcontainer, found.setup) : config.setup,
    absent: absentFrom(found, config.setup ?? ''),
    folders: foldersOf(config, found),
    ownSetup: config.setup !== undefined,
    env: Object.fromEntries(Object.entries(config.env ?? {}).map(([key, value]) => [key, String(value)])),
    secrets: [...new Set(config.secrets ?? [])],
    services: config.services === undefined ? servicesFrom(found.services) : servicesIn(config.services),
    test: testOf(config, found),
    untested: config.test === undefined && config.verify === undefined ? found.untested : null,
    ...(config.test === undefined && config.verify === undefined && found.left !== undefined && { left: found.left }),
    agent: config.agent ?? 'openai',
    command: config.command ?? null,
    agentVersion: config.agentVersion ?? null,
    agentArguments: config.agentArguments ?? [],
    model: config.model ?? null,
    scenario: config.scenario ?? null,
    ...networkOf(config),
    baseBranch: config.baseBranch ?? defaultBranch,
    workBranch: config.workBranch ?? DEFAULT_WORK_BRANCH,
    commits: config.commits ?? 'keep',
    author: config.author === undefined ? null : parseIdentity(config.author),
    committer: config.committer === undefined ? null : parseIdentity(config.committer),
    autopilot: config.autopilot ?? false,
    warm: config.warm ?? DEFAULT_WARM,
    slots: { ...usualSlots, ...config.slots },
    limits: {
      ...containerLimits(config),
      executionTimeoutMs,
      inactivityTimeoutMs: ms(limits.inactivityTimeoutSeconds, executionTimeoutMs),
      setupTimeoutMs: ms(limits.setupTimeoutSeconds, defaultLimits.setupTimeoutMs),
      testTimeoutMs: ms(limits.testTimeoutSeconds, defaultLimits.testTimeoutMs),
      maxSteps: limits.maxSteps ?? defaultLimits.maxSteps,
      ...budgetSettings('beadloom.json', limits),
      warnAtPercent: limits.warnAtPercent ?? null,
      answerTimeoutMs: ms(limits.answerTimeoutSeconds, defaultLimits.answerTimeoutMs),
      pauseMs: ms(limits.pauseSeconds, defaultLimits.pauseMs),
      maxSessions: limits.maxSessions ?? defaultLimits.maxSessions,
    },
    onLimit: config.onLimit ?? 'stop',
    onBlocked: config.onBlocked ?? 'end',
    maxAttempts: config.verification?.maxAttempts ?? 3,
    redGreen: config.verification?.redGreen ?? true,
    proveBase: config.verification?.proveBase ?? true,
    acceptUnchecked: config.verification?.acceptUnchecked ?? false,
    foundSecrets: config.verification?.secrets ?? 'refuse',
    originalTests: config.verification?.originalTests ?? 'tell',
    elsewhere: config.verification?.elsewhere ?? 'ci',
    ...checksOf(config, found, ms(limits.testTimeoutSeconds, defaultLimits.testTimeoutMs)),
    retry: resolveRetry(config.retry ?? {}),
    freshStarts: resolveFreshStarts(config.freshStarts ?? {}),
    tracker: { write: config.tracker?.write ?? true },
    ignore: beadsOf(config).ignore ?? [...usuallyIgnored],
    beads: beadsOf(config).own,
    review: {
      agent: config.review?.agent ?? null,
      command: config.review?.command ?? null,
      model: config.review?.model ?? null,
    },
    planning: {
      ...defaultPlanning,
      when: usualWhen(config.agent ?? 'openai', config.planning ?? {}),
      ...config.planning,
    } as PlanningSettings,
  }
}

function networkOf({ network = 'none' }: ProjectConfig): Pick<ProjectSettings, 'network' | 'allow' | 'sealed'> {
  if (typeof network !== 'object') return { network, allow: [] }
  return { network: 'none', allow: network.allow, ...(network.allow.length === 0 && { sealed: true as const }) }
}

/** The test command in the agent's prompt: a test step's, if steps are given. */
const testOf = (config: ProjectConfig, found: Detected): string | null =>
  config.test ??
  config.verify?.find(({ type }) => type === 'test')?.command ??
  config.verify?.find(({ command }) => command !== undefined)?.command ??
  found.test

/**
 * A devcontainer's own commands come first, and their work is not done twice. They were written for an editor, and no
 * CI runs them: they may fail if other files say how everything is installed.
 */
function setupOf(devcontainer: DevcontainerPlan | null, detected: string | null): string | null {
  const own = devcontainer?.setup ?? null
  if (devcontainer === null || own === null || detected === null || own.includes(detected)) return own ?? detected
  const word = `${devcontainer.file}: its commands failed. The setup of the other files goes on.`
  return `{ ${own}\n} || echo ${shellWord(word)} >&2; ${detected}`
}

const foldersOf = (config: ProjectConfig, { nested }: Detected): string[] =>
  [...new Set([...nested, ...(config.verify ?? [])].flatMap(({ folder }) => folder ?? []))]
    .map((folder) => folder.replace(/\/$/, ''))
    .sort()

const absentFrom = ({ absent }: Detected, setup: string): string[] =>
  absent.filter(({ path }) => path === null || !setup.includes(path)).map(({ text }) => text)
