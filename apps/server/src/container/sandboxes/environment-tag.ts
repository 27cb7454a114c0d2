import type { EnvironmentKey } from '../../ports/sandbox.ts'

/** How an environment that was made for a project is called in the engine. */
export const tagOf = ({ project, digest }: EnvironmentKey): string => `beadloom/project-${project}:${digest}`

/** Null: it is no name of such a one. */
export function keyOf(tag: string): EnvironmentKey | null {
  const [, project, digest] = /^beadloom\/project-([a-z0-9-]+):([\w.-]+)$/.exec(tag) ?? []
  return project === undefined || digest === undefined ? null : { project, digest }
}
