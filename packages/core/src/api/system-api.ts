import type { Check } from './server-api.ts'

/** A container that belongs to this server. */
export type SystemContainer = {
  id: string
  /** Which execution it belongs to; null where that is no longer known. */
  execution: { id: string; project: string; bead: string } | null
  /** The project whose next execution will get it; null: it is no container that waits. */
  waitsFor: string | null
  /** `work`, `verify`, `setup`, `save`, … */
  kind: string
  /** The engine's word: running, exited, … */
  state: string
  createdAt: number
}

/** An execution that has no agent yet: its base image is being fetched, or its project's image built. */
export type Preparing = { execution: string; project: string; bead: string; what: string; since: number | null }

/** What the server knows about itself and its machine, beyond `ServerStatus`. Times are milliseconds UTC. */
export type SystemView = {
  /** The server's clock. */
  now: number
  version: string
  node: string
  memoryBytes: number
  /** The name of this set of data, and its newest change. */
  epoch: string
  seq: number
  /** Null while the engine does not answer; `why` says why. At most 200 are listed. */
  containers: { items: SystemContainer[]; total: number } | null
  why: string | null
  preparing: Preparing[]
  /** Events of executions; `perMinute` are whole minutes, the newest last. */
  events: { lastMinute: number; perMinute: number[] }
  /** Connected dashboards and terminals, what they follow, and what is waiting to be sent to them. */
  readers: { sockets: number; channels: number; bufferedBytes: number }
  /** What `beadloom doctor` checks and the status does not have. */
  checks: Check[]
}
