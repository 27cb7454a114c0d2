import type { Engine } from './engine.ts'

/** The engines of a server, each opened with its first use. */
export interface Engines {
  /** `local` first, then the engines that `config.json` names. */
  readonly names: readonly string[]
  /** The name behind a project's setting; null asks for the server's default engine. */
  nameOf(asked: string | null): string
  /** An engine that the server does not have (any more) reports that it is away. */
  of(name: string): Engine
}

/** Why nothing can be done on an engine that the server does not have. */
export const absentText = (name: string): string =>
  `config.json names no engine "${name}". Name it under "engines", or change "engine" of the project`
