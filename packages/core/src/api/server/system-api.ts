import type { Check, EngineView } from './server-api.ts'

/** A container that belongs to this server. */
export type SystemContainer = {
  id: string
  /** Its engine, and its node if the engine has several. */
  engine: string
  node: string | null
  /** Its execution; null if no longer known. */
  execution: { id: string; project: string; bead: string } | null
  /** The project whose next execution will get it; null: not a waiting container. */
  waitsFor: string | null
  /** `work`, `verify`, `setup`, `save`, … */
  kind: string
  /** The engine's word: running, exited, … */
  state: string
  createdAt: number
}

/**
 * A machine of an engine, with the number of this server's containers on it. `why`: why nothing new starts there; '':
 * it does.
 */
export type SystemNode = {
  name: string
  ok: boolean
  why: string
  cpus: number
  memoryBytes: number
  containers: number
}

/** An engine that projects use, with its slots at the moment. `nodes` null: it is one machine, or does not tell. */
export type SystemEngine = EngineView & {
  slots: { total: number; used: number }
  containers: number
  nodes: SystemNode[] | null
}

/** An execution that has no agent yet: its base image is being fetched, or its project's image built. */
export type Preparing = { execution: string; project: string; bead: string; what: string; since: number | null }

/** An image that containers start from, or a layer below one. */
export type SystemImage = {
  name: string
  /** The project whose `setup` ran in it; null: a layer that projects share. */
  project: string | null
  /** False: another server made it, and this one leaves it alone. */
  isOurs: boolean
  /** Its own size without the image below it; with that image if the engine does not tell. */
  bytes: number
  createdAt: number
  /** The time of its last use, as far as this server knows. */
  usedAt: number
  /** A container was made from it, or another image is built on it. */
  inUse: boolean
  /** Why it could not be removed although nobody needs it; null: nobody tried. */
  problem: string | null
}

/** The most recently used first, at most 200. `bytes`: the size of all of them. */
export type ImagesView = { items: SystemImage[]; total: number; bytes: number }

/** The server's knowledge of itself and its machine, beyond `ServerStatus`. Times are milliseconds UTC. */
export type SystemView = {
  /** The server's clock. */
  now: number
  version: string
  node: string
  memoryBytes: number
  /** The name of this set of data, and its newest change. */
  epoch: string
  seq: number
  /** Null while no engine answers; an engine's `why` says why it does not. At most 200 are listed. */
  containers: { items: SystemContainer[]; total: number } | null
  why: string | null
  /** `local` first. */
  engines: SystemEngine[]
  /** Null while the engine does not answer. */
  images: ImagesView | null
  preparing: Preparing[]
  /** Events of executions; `perMinute` are whole minutes, the newest last. */
  events: { lastMinute: number; perMinute: number[] }
  /** Connected dashboards and terminals, their channels, and the bytes that wait to be sent to them. */
  readers: { sockets: number; channels: number; bufferedBytes: number }
  /** The checks of `beadloom doctor` that the status does not have. */
  checks: Check[]
}
