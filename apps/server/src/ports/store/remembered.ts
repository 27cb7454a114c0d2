import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { EnvironmentId } from '../sandbox.ts'

/** Facts about a server's surroundings that the next server needs. */
export interface RememberedStore {
  /**
   * Remembers the environment that agents of a project work in. The newest few are kept.
   *
   * @param from the settings that this depends on, as one text
   */
  rememberEnvironment(project: ProjectId, from: string, environment: EnvironmentId): void
  /** The environment is no longer usable. */
  forgetEnvironment(environment: EnvironmentId): void
  /** Null: nobody has worked with these settings lately. */
  environment(project: ProjectId, from: string): EnvironmentId | null
  /** Remembers where containers were opened last, in the words of the engine's adapter. */
  rememberEngine(place: string): void
  /** Null: none has been opened yet. */
  engine(): string | null
}
