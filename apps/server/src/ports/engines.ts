import type { Engine } from './engine.ts'

/** The engines of a server, each opened with its first use. */
export interface Engines {
  /** `local` first, then those that `config.json` names. */
  readonly names: readonly string[]
  /** The name behind a project's setting; null is that of the server's usual one. */
  nameOf(asked: string | null): string
  /** One that the server does not have (any more) is away, and says so. */
  of(name: string): Engine
}
