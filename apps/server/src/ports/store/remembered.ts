import type { ProjectId } from '@beadloom/core/ids.ts'
import type { EnvironmentId } from '../sandbox.ts'

/** What a server learns of its surroundings and the next one has to know. */
export interface RememberedStore {
  /**
   * What agents of a project work in. The newest few are kept.
   *
   * @param from the settings that this depends on, as one text
   */
  rememberEnvironment(project: ProjectId, from: string, environment: EnvironmentId): void
  /** Nothing can be made of it any more. */
  forgetEnvironment(environment: EnvironmentId): void
  /** Null: nobody has worked with these settings lately. */
  environment(project: ProjectId, from: string): EnvironmentId | null
  /** Where containers were opened last, in the words of the engine's adapter. */
  rememberEngine(place: string): void
  /** Null: none has been opened yet. */
  engine(): string | null
}
