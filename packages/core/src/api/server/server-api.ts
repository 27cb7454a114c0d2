import type { Reason } from '../../dispatch/reason.ts'
import type { Figures } from './figures-api.ts'

export type Check = { name: string; ok: boolean; text: string; fix?: string }

/** An engine's state at the last look. */
export type EngineView = { name: string; ok: boolean; text: string; where: string | null; weaker: string[] }

export type ServerStatus = {
  version: string
  startedAt: number
  /** The server's clock, from which a client computes ages. */
  now: number
  slots: { total: number; used: number }
  /** Containers that wait for an execution. */
  warm: number
  queue: { execution: string; project: string; bead: string; position: number; reason: Reason | null }[]
  running: string[]
  /** `where`: the engine's address and why it was chosen; null: not known yet. */
  docker: { ok: boolean; text: string; where: string | null; weaker: string[] }
  /** The engines that `config.json` names and a project uses. */
  engines: EngineView[]
  model: { name: string | null; ok: boolean; text: string }
  disk: { freeBytes: number; ok: boolean }
  /** Why the database cannot be written, and since when; null: it can. Executions continue, and their writes wait. */
  database: { kind: 'busy' | 'no-space' | 'disk' | 'gone'; since: number; text: string } | null
  /** The last trouble with the database's files that the server has mended, for a day. Nothing is wrong now. */
  databaseNote: { at: number; text: string } | null
  /**
   * The server's backups of its database: the time of the newest one, the number of kept ones, why one failed. Null:
   * off.
   */
  backups: { newest: number | null; kept: number; problem: string | null } | null
  figures: Figures
}
