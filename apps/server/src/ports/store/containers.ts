import type { SessionKind } from '@beadloom/core/records/session.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { EnvironmentId } from '../sandbox.ts'

/**
 * - `warm`: it waits for an execution, and nothing is in it.
 * - `held`: an execution works with it.
 * - `kept`: its execution is over, and it may hold work that is saved nowhere else. It is removed when that is saved,
 *   or when a person says so.
 * - `removing`: nothing in it is needed any more.
 *
 * `owner`: the execution that works with it, or did; null: none, or unknown.
 */
export type ContainerStanding =
  | { state: 'warm'; owner: null }
  | { state: 'held'; owner: ExecutionId }
  | { state: 'kept' | 'removing'; owner: ExecutionId | null }

/** A container that this server has asked its engine for. Times are milliseconds UTC. */
export type ContainerRow = ContainerStanding & {
  name: string
  /** The engine that has it, by its name. */
  engine: string
  /** The engine's name of it; null until it was created. */
  engineId: string | null
  project: ProjectId
  /** The environment that it was opened from; null: not noted. */
  environment: EnvironmentId | null
  purpose: SessionKind
  /** Work left in it at its end is worth saving. */
  keepsWork: boolean
  createdAt: number
  /** When this state began. */
  since: number
  /** Why it is kept: a sentence. */
  why: string
  /** The bytes that were written in it, as the engine counts them; null: not known. */
  bytes: number | null
  /** The number of failed tries to save it since it was kept. */
  tries: number
  nextTryAt: number | null
}

export type NewContainer = Pick<
  ContainerRow,
  'name' | 'engine' | 'project' | 'environment' | 'purpose' | 'keepsWork' | 'owner'
>

/** Rows are written before the engine is asked, so that a server that dies in between leaves no unknown container. */
export interface ContainerStore {
  /** Adds a container, held by its owner, or warm without one. Replaces one with the same name. */
  addContainer(container: NewContainer): void
  containerCreated(name: string, engineId: string): void
  /** Gives a warm one to an execution. False: it is no longer warm, or gone; then nothing has changed. */
  takeContainer(name: string, owner: ExecutionId): boolean
  keepContainer(name: string, why: string): void
  /** Saving has failed once more. */
  noteSaveTry(name: string, tried: { why: string; bytes: number | null; nextTryAt: number }): void
  /** Its work is saved, worth nothing, or given up by a person. */
  releaseContainer(name: string): void
  /** The engine no longer has it. */
  forgetContainer(name: string): void
  container(name: string): ContainerRow | null
  /** The containers of one execution, or of all; the oldest first. */
  containers(owner?: ExecutionId): ContainerRow[]
  /** The containers that are kept for a person, in the same order. */
  keptContainers(owner?: ExecutionId): ContainerRow[]
}
