import { z } from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { isPreset, presetNames, type AgentName } from '../agents/presets.ts'
import { closestWord } from '../text/closest-word.ts'
import { resolveRetry, type RetryPolicy } from '../execution/retry.ts'
import type { JudgeStep, VerifyStep } from '../execution/verification.ts'
import { ProjectConfig } from './project-config-schema.ts'
import { BEAD_BRANCHES } from '../bead/branch.ts'
import { branchNameProblem, shadows } from './branch-name.ts'

export { ProjectConfig } from './project-config-schema.ts'

// `zod/mini` comes without error messages, and people need them.
z.config(en())

export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: string[]
  constructor(what: string, problems: string[]) {
    super(`${what}: ${problems.join('; ')}`)
    this.problems = problems
  }
}

const DEFAULT_WORK_BRANCH = 'beadloom/work'

/** Throws `ConfigError` with every problem at once, each with its path. */
export function parseProjectConfig(text: string, file = 'beadloom.json'): ProjectConfig {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ConfigError(file, [`not JSON (${error instanceof Error ? error.message : String(error)})`])
  }
  const parsed = ProjectConfig.safeParse(value)
  const problems = parsed.success ? problemsOf(parsed.data) : parsed.error.issues.map((issue) => describe(issue, keys))
  if (problems.length > 0 || !parsed.success) throw new ConfigError(file, problems)
  return parsed.data
}

const keys = Object.keys(ProjectConfig.shape)

/** One sentence for one zod issue: where, and what would be right. */
export const describeIssue = (issue: z.core.$ZodIssue): string => describe(issue, [])

/** `known`: the top-level keys, for a suggestion. */
function describe(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    const named = issue.keys.map((key) => {
      const meant = path === '' ? closestWord(key, known) : null
      return `"${[path, key].filter(Boolean).join('.')}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`
    })
    return `unknown ${issue.keys.length > 1 ? 'keys' : 'key'} ${named.join(', ')}`
  }
  const message = issue.message.replace(/^Invalid input: /, '')
  return path ? `"${path}": ${message}` : message
}

const installable = presetNames.map((name) => `"${name}"`).join(' or ')

/** What is wrong with keys in combination that are valid on their own. */
export function problemsOf(config: ProjectConfig): string[] {
  const problems: string[] = []
  if (config.image && config.dockerfile) problems.push('give "image" or "dockerfile", not both')
  if (config.agent === 'command' && !config.command)
    problems.push('"agent": "command" needs "command", the command line to run')
  if (config.model === 'scripted' && !config.scenario)
    problems.push('"model": "scripted" needs "scenario", the scenario to replay')
  if (config.review?.agent === 'command' && !(config.review.command ?? config.command))
    problems.push('"review.agent": "command" needs "command", the command line to run')
  if (config.review?.model === 'scripted' && !config.scenario)
    problems.push('"review.model": "scripted" needs "scenario", the scenario to replay')
  problems.push(...stepProblems(config), ...branchProblems(config))
  const installed = [config.agent, config.review?.agent, ...Object.values(config.beads ?? {}).map(({ agent }) => agent)]
  if (!installed.some((name) => name !== undefined && isPreset(name)))
    for (const key of ['agentVersion', 'agentArguments'] as const)
      if (config[key])
        problems.push(`"${key}" is only for an agent that Beadloom installs: set "agent" to ${installable}`)
  for (const [bead, own] of Object.entries(config.beads ?? {})) {
    if (own.agent === 'command' && !(own.command ?? config.command))
      problems.push(`"beads.${bead}.agent": "command" needs "command", the command line to run`)
  }
  return problems
}

function stepProblems({ verify = [], model, scenario }: ProjectConfig): string[] {
  return verify.flatMap((step, at) => {
    const judge = step.type === 'judge'
    const needed = judge ? 'prompt' : 'command'
    const foreign = judge ? (['command'] as const) : (['prompt', 'model', 'required'] as const)
    return [
      ...(step[needed] === undefined ? [`"verify.${at}.${needed}": a step of the type "${step.type}" needs it`] : []),
      ...foreign
        .filter((key) => step[key] !== undefined)
        .map((key) => `"verify.${at}.${key}" is not for a step of the type "${step.type}"`),
      ...(step.model === 'scripted' && model !== 'scripted' && !scenario
        ? [`"verify.${at}.model": "scripted" needs "scenario", the scenario to replay`]
        : []),
    ]
  })
}

function branchProblems(config: Pick<ProjectConfig, 'baseBranch' | 'workBranch'>): string[] {
  const problems = (['baseBranch', 'workBranch'] as const).flatMap((key) => {
    const problem = config[key] === undefined ? null : branchNameProblem(config[key])
    return problem === null ? [] : [`"${key}" ${problem}`]
  })
  if (config.workBranch?.startsWith(BEAD_BRANCHES))
    problems.push(`"workBranch" must not begin with "${BEAD_BRANCHES}": the branches of beads are called that`)
  return problems.length > 0 ? problems : branchesProblems(config.baseBranch ?? null, config.workBranch)
}

/** What is wrong with the two branches together; `base` null: it is the repository's own, which is not known yet. */
export function branchesProblems(base: string | null, work = DEFAULT_WORK_BRANCH): string[] {
  if (base === null || !shadows(base, work)) return []
  return base === work
    ? [
        `"workBranch" must not be the base branch ${base}: verified work is collected there before you merge it. Leave it out, or name another branch`,
      ]
    : [
        `"workBranch" ${work} and the base branch ${base} cannot be there together: git keeps one as a folder of the other`,
      ]
}

/** What an execution runs with, after detection and defaults. */
export type ProjectSettings = {
  name: string
  techStack: string[]
  image: string | null
  dockerfile: string | null
  setup: string | null
  /** The project says it itself, also that there is nothing to prepare; else it was detected. */
  ownSetup: boolean
  test: string | null
  agent: AgentName
  command: string | null
  /** Null: the one that Beadloom was tested with. */
  agentVersion: string | null
  agentArguments: string[]
  model: string | null
  scenario: string | null
  network: 'none' | 'bridge'
  baseBranch: string
  workBranch: string
  autopilot: boolean
  limits: {
    cpus: number
    memoryBytes: number
    processes: number
    executionTimeoutMs: number
    inactivityTimeoutMs: number
    setupTimeoutMs: number
    testTimeoutMs: number
    maxSteps: number
    /** Tokens of one execution, of each of its sessions, and of the project on one day (UTC). */
    maxTokens: number | null
    maxTokensPerSession: number | null
    maxTokensPerDay: number | null
    maxSessions: number
  }
  maxAttempts: number
  /** The tests of verified work are run without its change. */
  redGreen: boolean
  /** At least one if `test` is known. Empty: there is no command to verify with. Names are unique. */
  verify: VerifyStep[]
  /** The project names its checks, and no command is among them: whatever an agent does is taken. */
  unverified: boolean
  /** Models that are asked what they think of the work, after every command has passed. */
  judges: JudgeStep[]
  retry: RetryPolicy
  tracker: { write: boolean }
  beads: Record<string, { agent?: AgentName | undefined; command?: string | undefined }>
  /** Null: the same as the author. */
  review: { agent: AgentName | null; command: string | null; model: string | null }
}

/** 4 CPUs and 8 GiB for each of three containers, and 6 hours. 100 steps, as ten were far too few for real work. */
export const defaultLimits: ProjectSettings['limits'] = {
  cpus: 4,
  memoryBytes: 8 * 1024 ** 3,
  processes: 512,
  executionTimeoutMs: 21_600_000,
  inactivityTimeoutMs: 21_600_000,
  setupTimeoutMs: 1_800_000,
  testTimeoutMs: 1_800_000,
  maxSteps: 100,
  maxTokens: null,
  maxTokensPerSession: null,
  maxTokensPerDay: null,
  maxSessions: 10,
}

/** What the repository's files say where `beadloom.json` does not. */
export type Detected = {
  setup: string | null
  test: string | null
  /** Checks other than the tests ("build", "lint"), in the order in which they run. */
  checks: { type: 'build' | 'lint'; command: string }[]
  techStack: string[]
}

export function resolveSettings(
  config: ProjectConfig,
  found: Detected,
  name: string,
  defaultBranch: string,
): ProjectSettings {
  const limits = config.limits ?? {}
  const ms = (value: number | undefined, otherwise: number) => (value === undefined ? otherwise : value * 1000)
  const executionTimeoutMs = ms(limits.executionTimeoutSeconds, defaultLimits.executionTimeoutMs)
  return {
    name: config.name ?? name,
    techStack: config.techStack ?? found.techStack,
    image: config.image ?? null,
    dockerfile: config.dockerfile ?? null,
    setup: config.setup === undefined ? found.setup : config.setup,
    ownSetup: config.setup !== undefined,
    test: testOf(config, found),
    agent: config.agent ?? 'openai',
    command: config.command ?? null,
    agentVersion: config.agentVersion ?? null,
    agentArguments: config.agentArguments ?? [],
    model: config.model ?? null,
    scenario: config.scenario ?? null,
    network: config.network ?? 'none',
    baseBranch: config.baseBranch ?? defaultBranch,
    workBranch: config.workBranch ?? DEFAULT_WORK_BRANCH,
    autopilot: config.autopilot ?? false,
    limits: {
      cpus: limits.cpus ?? defaultLimits.cpus,
      memoryBytes: limits.memoryMb === undefined ? defaultLimits.memoryBytes : limits.memoryMb * 1024 ** 2,
      processes: limits.processes ?? defaultLimits.processes,
      executionTimeoutMs,
      inactivityTimeoutMs: ms(limits.inactivityTimeoutSeconds, executionTimeoutMs),
      setupTimeoutMs: ms(limits.setupTimeoutSeconds, defaultLimits.setupTimeoutMs),
      testTimeoutMs: ms(limits.testTimeoutSeconds, defaultLimits.testTimeoutMs),
      maxSteps: limits.maxSteps ?? defaultLimits.maxSteps,
      maxTokens: limits.maxTokens ?? null,
      maxTokensPerSession: limits.maxTokensPerSession ?? null,
      maxTokensPerDay: limits.maxTokensPerDay ?? null,
      maxSessions: limits.maxSessions ?? defaultLimits.maxSessions,
    },
    maxAttempts: config.verification?.maxAttempts ?? 3,
    redGreen: config.verification?.redGreen ?? true,
    ...verification(config, found, ms(limits.testTimeoutSeconds, defaultLimits.testTimeoutMs)),
    retry: resolveRetry(config.retry ?? {}),
    tracker: { write: config.tracker?.write ?? true },
    beads: config.beads ?? {},
    review: {
      agent: config.review?.agent ?? null,
      command: config.review?.command ?? null,
      model: config.review?.model ?? null,
    },
  }
}

/** The command that the agent is told to run: that of a test step, where steps are given. */
const testOf = (config: ProjectConfig, found: Detected): string | null =>
  config.test ??
  config.verify?.find(({ type }) => type === 'test')?.command ??
  config.verify?.find(({ command }) => command !== undefined)?.command ??
  found.test

/** A judge reads and answers once; a model that has not by then will not. */
const JUDGE_TIMEOUT_MS = 300_000

/** `verify` as given; else `test` alone if a person chose it; else what was detected. */
function verification(
  config: ProjectConfig,
  found: Detected,
  testTimeoutMs: number,
): Pick<ProjectSettings, 'verify' | 'unverified' | 'judges'> {
  if (config.verify) {
    const steps = named(config.verify, testTimeoutMs)
    const verify = steps.filter((step) => 'command' in step)
    return { verify, unverified: verify.length === 0, judges: steps.filter((step) => 'prompt' in step) }
  }
  const verify =
    config.test === undefined
      ? detectedSteps(found, testTimeoutMs)
      : commandsOf([{ type: 'test', command: config.test }], testTimeoutMs)
  return { verify, unverified: false, judges: [] }
}

/** A build first, because nothing works without it, and the linter last; none where there is nothing to test with. */
export function detectedSteps({ test, checks }: Detected, testTimeoutMs: number): VerifyStep[] {
  if (test === null) return []
  const others = (type: 'build' | 'lint') => checks.filter((check) => check.type === type)
  return commandsOf([...others('build'), { type: 'test', command: test }, ...others('lint')], testTimeoutMs)
}

type GivenStep = NonNullable<ProjectConfig['verify']>[number]

const commandsOf = (steps: readonly GivenStep[], testTimeoutMs: number): VerifyStep[] =>
  named(steps, testTimeoutMs).filter((step) => 'command' in step)

/** Repeated names get a number: sections of a log and rows are found by name. */
function named(steps: readonly GivenStep[], testTimeoutMs: number): (VerifyStep | JudgeStep)[] {
  const used = new Set<string>()
  return steps.map(
    ({ type, name = type, command = '', prompt = '', model = null, required = true, timeoutSeconds }) => {
      let own = name
      for (let n = 2; used.has(own); n++) own = `${name} ${n}`
      used.add(own)
      const timeoutMs = (otherwise: number) => (timeoutSeconds === undefined ? otherwise : timeoutSeconds * 1000)
      return type === 'judge'
        ? { name: own, prompt, model, required, timeoutMs: timeoutMs(JUDGE_TIMEOUT_MS) }
        : { type, name: own, command, timeoutMs: timeoutMs(testTimeoutMs) }
    },
  )
}
