import type { EnvironmentKey } from '../../ports/sandbox.ts'

/** How an environment that was made for a project is called in the engine. */
export const tagOf = ({ project, digest }: EnvironmentKey): string => `beadloom/project-${project}:${digest}`
