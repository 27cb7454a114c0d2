import type { GrantableTool } from '../../agents/named/agent-definition.ts'
import type { AgentName } from '../../agents/agent-names.ts'
import type { AgentApi } from '../../agents/preset.ts'

/** An agent that `"agent"` can name, as `GET /api/agents` shows it. */
export type AgentView = {
  name: AgentName
  title: string
  /** The npm package, and the version that is installed by default; null: nothing is installed. */
  package: string | null
  version: string | null
  /** The API that it speaks; null: its command line decides. */
  api: AgentApi | null
  /** Its layer on the default base image: null if it has none; `bytes` null: not built yet. */
  image: { bytes: number | null } | null
  /** Whether the server has a model for its API, as a sentence. */
  model: { ok: boolean; text: string }
}

/**
 * An agent that the built-in agent can ask. `tools` null: all tools of its parent. `from`: the path of its file; null:
 * built in.
 */
export type NamedAgentView = {
  name: string
  description: string
  tools: GrantableTool[] | null
  model: string | null
  from: string | null
}

/**
 * `problems`: files that are no agents, and why; `notes`: parts of good files that do not count. Sentences for people.
 */
export type NamedAgentsView = { items: NamedAgentView[]; problems: string[]; notes: string[] }
