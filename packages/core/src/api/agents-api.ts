import type { AgentName } from '../agents/presets.ts'
import type { AgentApi } from '../agents/preset.ts'

/** An agent that `"agent"` can name, as `GET /api/agents` shows it. */
export type AgentView = {
  name: AgentName
  title: string
  /**
   * The npm package, and the version that is installed unless a project asks for another; null: nothing is installed.
   */
  package: string | null
  version: string | null
  /** The API that it speaks; null: whichever its command line does. */
  api: AgentApi | null
  /** Its layer on the default base image: null where it has none; `bytes` null: not built yet. */
  image: { bytes: number | null } | null
  /** Whether the server has a model for its API, as a sentence. */
  model: { ok: boolean; text: string }
}
