import type { EnvironmentKey } from '../../ports/sandbox.ts'

/** The engine's name for an environment that was made for a project. */
export const tagOf = ({ project, digest }: EnvironmentKey): string => `beadloom/project-${project}:${digest}`

/** Null: it is no such name. */
export function keyOf(tag: string): EnvironmentKey | null {
  const [, project, digest] = /^beadloom\/project-([a-z0-9-]+):([\w.-]+)$/.exec(tag) ?? []
  return project === undefined || digest === undefined ? null : { project, digest }
}
