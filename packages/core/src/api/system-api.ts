import type { Check } from './api.ts'

/** A container that belongs to this server. */
export type SystemContainer = {
  id: string
  /** Of which run it is; null where that is not known any more. */
  execution: { id: string; project: string; bead: string } | null
  /** `work`, `verify`, `setup`, `save`, … */
  kind: string
  /** The engine's word: running, exited, … */
  state: string
  createdAt: number
}

/** An execution that has no agent yet: its base image is fetched or its project's image made. */
export type Preparing = { execution: string; project: string; bead: string; what: string; since: number | null }

/** What the server knows of itself and its surroundings, beyond `ServerStatus`. Times are milliseconds UTC. */
export type SystemView = {
  /** The server's clock. */
  now: number
  version: string
  node: string
  memoryBytes: number
  /** Names this set of data, and its newest change. */
  epoch: string
  seq: number
  /** Null while the engine does not answer; `why` says it. At most 200 are named. */
  containers: { items: SystemContainer[]; total: number } | null
  why: string | null
  preparing: Preparing[]
  /** Events of executions; `perMinute` are whole minutes, the newest last. */
  events: { lastMinute: number; perMinute: number[] }
  /** Dashboards and terminals that follow, what they follow, and what waits to be sent to them. */
  readers: { sockets: number; channels: number; bufferedBytes: number }
  /** What `beadloom doctor` looks at, where it is not in the status already. */
  checks: Check[]
}
