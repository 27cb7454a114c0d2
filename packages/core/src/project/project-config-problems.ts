import { isPreset, presetNames } from '../agents/agent-names.ts'
import { BEAD_BRANCHES } from '../records/branch.ts'
import { ruleProblem } from '../egress/allow-rule.ts'
import { templateProblem } from '../execution/fresh-starts/retry-prompt.ts'
import { branchNameProblem, DEFAULT_WORK_BRANCH, shadows } from './branch-name.ts'
import { serviceProblems } from '../services/service-problems.ts'
import { beadsOf, type ProjectConfig } from './project-config-schema.ts'

const installable = presetNames.map((name) => `"${name}"`).join(' or ')

/** Problems of keys in combination that are valid on their own. */
export function problemsOf(config: ProjectConfig): string[] {
  const problems: string[] = []
  if (config.image && config.dockerfile) problems.push('give "image" or "dockerfile", not both')
  if (config.toolchains && (config.image ?? config.dockerfile) !== undefined)
    problems.push('"toolchains" is for Beadloom\'s own image: leave out "image" and "dockerfile", or put them in there')
  if (typeof config.network === 'object')
    for (const [at, text] of config.network.allow.entries()) {
      const wrong = ruleProblem(text)
      if (wrong !== null) problems.push(`"network.allow.${at}": ${JSON.stringify(text)} ${wrong}`)
    }
  if (config.agent === 'command' && !config.command)
    problems.push('"agent": "command" needs "command", the command line to run')
  if (config.model === 'scripted' && !config.scenario)
    problems.push('"model": "scripted" needs "scenario", the scenario to replay')
  if (config.review?.agent === 'command' && !(config.review.command ?? config.command))
    problems.push('"review.agent": "command" needs "command", the command line to run')
  if (config.review?.model === 'scripted' && !config.scenario)
    problems.push('"review.model": "scripted" needs "scenario", the scenario to replay')
  if (config.planning?.agent === 'command' && !(config.planning.command ?? config.command))
    problems.push('"planning.agent": "command" needs "command", the command line to run')
  if (config.planning?.model === 'scripted' && !config.scenario)
    problems.push('"planning.model": "scripted" needs "scenario", the scenario to replay')
  const template = config.freshStarts?.retryPromptTemplate ?? null
  const wrong = template === null ? null : templateProblem(template)
  if (wrong !== null) problems.push(`"freshStarts.retryPromptTemplate" ${wrong}`)
  const given = Object.keys(config.env ?? {})
  for (const name of config.secrets ?? [])
    if (given.includes(name)) problems.push(`"secrets": ${name} is in "env", too, where everybody can read it`)
  problems.push(...serviceProblems(config.services ?? {}), ...stepProblems(config), ...branchProblems(config))
  const { own } = beadsOf(config)
  const installed = [
    config.agent,
    config.review?.agent,
    config.planning?.agent,
    ...Object.values(own).map(({ agent }) => agent),
  ]
  if (!installed.some((name) => name !== undefined && isPreset(name)))
    for (const key of ['agentVersion', 'agentArguments'] as const)
      if (config[key])
        problems.push(`"${key}" is only for an agent that Beadloom installs: set "agent" to ${installable}`)
  for (const [bead, chosen] of Object.entries(own)) {
    if (chosen.agent === 'command' && !(chosen.command ?? config.command))
      problems.push(`"beads.${bead}.agent": "command" needs "command", the command line to run`)
  }
  return problems
}

function stepProblems({ verify = [], model, scenario }: ProjectConfig): string[] {
  return verify.flatMap((step, at) => {
    const judge = step.type === 'judge'
    const needed = judge ? 'prompt' : 'command'
    const foreign = judge ? (['command', 'folder', 'paths'] as const) : (['prompt', 'model', 'required'] as const)
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

/** Problems of the two branches together; `base` null: the repository's default branch, not known yet. */
export function branchesProblems(base: string | null, work = DEFAULT_WORK_BRANCH): string[] {
  if (base === null || !shadows(base, work)) return []
  return base === work
    ? [
        `"workBranch" must not be the base branch ${base}: verified work is collected there before you merge it. Leave it out, or name another branch; if ${base} is only checked out in the repository at the moment, add the project with the branch that work should start from: beadloom project add … --base BRANCH`,
      ]
    : [
        `"workBranch" ${work} and the base branch ${base} cannot be there together: git keeps one as a folder of the other`,
      ]
}
