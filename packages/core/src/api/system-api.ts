import type { Check, EngineView } from './server-api.ts'

/** A container that belongs to this server. */
export type SystemContainer = {
  id: string
  /** The engine that has it, and the node that it is on, where an engine has several. */
  engine: string
  node: string | null
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

/** A machine of an engine, with how many containers of this server it has. `why`: why nothing new starts there; '': it does. */
export type SystemNode = {
  name: string
  ok: boolean
  why: string
  cpus: number
  memoryBytes: number
  containers: number
}

/** An engine that projects use, with its slots at the moment. `nodes` null: it is one machine, or does not say. */
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
  /** What it adds to the image that it lies on; with all of that where the engine does not say. */
  bytes: number
  createdAt: number
  /** When it was last of use, as far as this server knows. */
  usedAt: number
  /** A container was made from it, or another of these lies on it. */
  inUse: boolean
  /** Why it could not be removed although nobody needs it; null: nothing was tried. */
  problem: string | null
}

/** The newest in use first, at most 200. `bytes`: of all of them. */
export type ImagesView = { items: SystemImage[]; total: number; bytes: number }

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
  /** Null while no engine answers; `why` says why one does not. At most 200 are listed. */
  containers: { items: SystemContainer[]; total: number } | null
  why: string | null
  /** `local` first. */
  engines: SystemEngine[]
  /** Null while the engine does not answer. */
  images: ImagesView | null
  preparing: Preparing[]
  /** Events of executions; `perMinute` are whole minutes, the newest last. */
  events: { lastMinute: number; perMinute: number[] }
  /** Connected dashboards and terminals, what they follow, and what is waiting to be sent to them. */
  readers: { sockets: number; channels: number; bufferedBytes: number }
  /** What `beadloom doctor` checks and the status does not have. */
  checks: Check[]
}
