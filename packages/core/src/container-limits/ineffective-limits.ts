import { limitNames, type EffectiveLimits, type LimitName, type ContainerLimits } from './effective-limits.ts'

/** A period with millisecond precision cannot represent every fraction of a processor exactly. */
const CPU_ROUNDING = 0.01

/**
 * Requested limits that do not act. For limits that are not visible inside (`null`), the engine's word counts: `said`
 * are the limits that it says it cannot set.
 */
export function ineffectiveLimits(
  asked: ContainerLimits,
  effective: EffectiveLimits | null,
  said: readonly LimitName[],
): LimitName[] {
  return limitNames.filter((name) => {
    const acts = effective?.[name] ?? null
    if (acts === null) return said.includes(name)
    return acts > asked[name] + (name === 'cpus' ? CPU_ROUNDING : 0)
  })
}

/**
 * Without these limits, one sandbox can stop the whole machine and this server: nothing starts unless a person allows
 * it.
 */
const needed: readonly LimitName[] = ['memory', 'processes']

export const neededLimits = (ineffective: readonly LimitName[]): LimitName[] =>
  needed.filter((name) => ineffective.includes(name))

const words: Record<LimitName, string> = {
  memory: 'memory',
  swap: 'swap',
  processes: 'the number of processes',
  cpus: 'CPU time',
  openFiles: 'open files',
  fileSize: 'the size of a file',
  coreSize: 'core dumps',
}

/** The means by which an engine sets its limits. `cgroups`: null if it does not tell. */
export type LimitSource = { rootless: boolean; cgroups: 1 | 2 | null }

const inCgroups: readonly LimitName[] = ['memory', 'swap', 'processes', 'cpus']

/**
 * Sentences for people, without the last full stop: the missing limits, what to do, and whether anything starts. Null
 * if all limits act. `allowed`: a person has allowed it.
 */
export function ineffectiveNote(
  ineffective: readonly LimitName[],
  source: LimitSource,
  allowed: boolean,
): string | null {
  if (ineffective.length === 0) return null
  const missing = neededLimits(ineffective)
  const refused = `So one agent could stop the whole machine, and nothing starts. To start all the same: beadloom start --allow-unlimited`
  return [
    `not limited in containers: ${listed(ineffective)}`,
    ...fixes(ineffective, source),
    ...(missing.length > 0 && !allowed ? [refused] : []),
  ].join('. ')
}

const listed = (names: readonly LimitName[]): string => {
  const all = names.map((name) => words[name])
  return all.length === 1 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

const kernelFix: Partial<Record<LimitName, string>> = {
  memory: "Memory: enable the kernel's memory cgroup (kernel parameter cgroup_enable=memory)",
  swap: 'Swap: set the kernel parameter swapaccount=1, or turn swap off',
  processes: "Processes: enable the kernel's pids cgroup",
  cpus: "CPU time: enable the kernel's CFS bandwidth control",
}

/** A rootless engine cannot set limits in cgroup v1, even if it says so. */
export const limitsNothing = ({ rootless, cgroups }: LimitSource): boolean => rootless && cgroups === 1

function fixes(ineffective: readonly LimitName[], source: LimitSource): string[] {
  const inKernel = ineffective.filter((name) => inCgroups.includes(name))
  const others = inKernel.length < ineffective.length
  const ulimits = others ? ['Files and core dumps: give the service of the engine itself these limits (ulimit)'] : []
  if (inKernel.length === 0) return ulimits
  if (!source.rootless) return [...inKernel.flatMap((name) => kernelFix[name] ?? []), ...ulimits]
  const why = limitsNothing(source)
    ? 'A rootless engine limits nothing with cgroup v1: start the machine with cgroup v2 (kernel parameter systemd.unified_cgroup_hierarchy=1), or use an engine that root runs'
    : 'A rootless engine limits what systemd hands over to its user: sudo systemctl edit user@.service, under [Service] the line Delegate=cpu cpuset io memory pids, then log in again'
  return [why, ...ulimits]
}
