import type { Exit, FrameSource } from './sandbox.ts'

/** A command line for a shell, or its words. Exit code 0: ready. */
export type HealthCheck = string | string[]

/** A program from an image of its own, such as a database, that runs beside the sessions of a sandbox. */
export interface Service {
  /** The engine's name of it. */
  readonly id: string
  readonly name: string
  /** Called once. Rejects with 'refused' if its program cannot be started. */
  start(): Promise<void>
  /** Whether the check succeeds now; false, too, if the service has ended. */
  isReady(check: HealthCheck): Promise<boolean>
  /**
   * Its output, from the first byte until it has ended. All of it is of one stream, because nothing of it may be taken
   * for a session's words.
   */
  output(): FrameSource
  /** When `signal` aborts, rejects with an `EngineError` ('refused'); the service continues. */
  ended(signal: AbortSignal): Promise<Exit>
  /** Ends and removes it with all its contents; a service that is gone is no error. */
  close(): Promise<void>
}

/** `command` null: the image's own. */
export type ServiceSpec = {
  name: string
  image: string
  /** The execution that it is for; null: none. */
  owner: string | null
  env: Readonly<Record<string, string>>
  command: readonly string[] | null
  cpus: number
  memoryBytes: number
  processes: number
}

/** Its purpose for the engine, beside the purposes of sandboxes. */
export const SERVICE = 'service'
