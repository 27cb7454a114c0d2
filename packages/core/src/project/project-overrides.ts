import { z } from 'zod/mini'
import { ProjectConfig } from './project-config-schema.ts'
import { ConfigError, describeIssue } from '../settings/config-error.ts'
import { problemsOf } from './project-config-problems.ts'
import { isApart, validRest } from './valid-rest.ts'
import type { SettingValue } from './setting-value.ts'
import { isObject } from '../text/json-object.ts'

/*
 * A person's choices for a project on this server, on top of its `beadloom.json`. The same keys and checks, but only
 * keys about the way of working, not about the repository itself.
 */

export const ProjectOverrides = z.extend(
  z.pick(ProjectConfig, {
    name: true,
    commits: true,
    engine: true,
    setup: true,
    test: true,
    agent: true,
    model: true,
    slots: true,
    limits: true,
    onLimit: true,
    onBlocked: true,
    retry: true,
    freshStarts: true,
    review: true,
    planning: true,
    verification: true,
  }),
  // Only the file can allow hosts.
  { network: z.optional(z.enum(['none', 'bridge'])) },
)
export type ProjectOverrides = z.infer<typeof ProjectOverrides>

export const noOverrides: ProjectOverrides = {}

/**
 * Objects are merged key by key, everything else is replaced as a whole. The file's agent version and arguments apply
 * only to the file's agent.
 */
export function overlay(config: ProjectConfig, over: ProjectOverrides): ProjectConfig {
  const merged: Record<string, unknown> = { ...config }
  if (over.agent !== undefined && over.agent !== config.agent) {
    delete merged['agentVersion']
    delete merged['agentArguments']
  }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isObject(value) && isObject(below) ? { ...below, ...value } : value
  }
  return merged as ProjectConfig
}

/** A value by its dotted key; undefined: not set. */
export function valueAt(config: object, key: string): unknown {
  return key.split('.').reduce<unknown>((node, name) => (isObject(node) ? own(node, name) : undefined), config)
}

/**
 * The choices with some of them changed; null removes one. Throws `ConfigError` with every problem, including those
 * that arise together with the file.
 */
export function changeOverrides(
  over: ProjectOverrides,
  changes: Readonly<Record<string, SettingValue>>,
  file: ProjectConfig,
): ProjectOverrides {
  const next = JSON.parse(JSON.stringify(over)) as Record<string, unknown>
  for (const [key, value] of Object.entries(changes)) put(next, key.split('.'), value)
  const parsed = ProjectOverrides.safeParse(next)
  if (!parsed.success) {
    const { issues } = parsed.error
    const rest = validRest(ProjectOverrides, next, issues)
    const beside = rest === null ? [] : problemsOf(overlay(file, rest.data)).filter((one) => isApart(rest, one))
    throw new ConfigError('settings', [...issues.map(describeIssue), ...beside])
  }
  const problems = problemsOf(overlay(file, parsed.data))
  if (problems.length > 0) throw new ConfigError('settings', problems)
  return parsed.data
}

function put(into: Record<string, unknown>, [name, ...rest]: string[], value: SettingValue): void {
  if (name === undefined) return
  if (rest.length === 0) {
    if (value === null) delete into[name]
    else define(into, name, value)
    return
  }
  const below = own(into, name)
  const node = isObject(below) ? below : {}
  put(node, rest, value)
  if (Object.keys(node).length === 0) delete into[name]
  else define(into, name, node)
}

/** Even `__proto__` becomes an ordinary key, which the schema then refuses. */
const define = (into: object, name: string, value: unknown) =>
  Object.defineProperty(into, name, { value, enumerable: true, writable: true, configurable: true })

const own = (node: object, name: string): unknown =>
  Object.hasOwn(node, name) ? (node as Record<string, unknown>)[name] : undefined
