import type { GrantableTool } from '../agents/named/agent-definition.ts'
import type { AgentName } from '../agents/agent-names.ts'
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

/** An agent that the built-in agent can ask. `tools` null: all of who asks; `from` null: built in, else the path of its file. */
export type NamedAgentView = {
  name: string
  description: string
  tools: GrantableTool[] | null
  model: string | null
  from: string | null
}

/** `problems`: files that are no agents, and why; `notes`: what of good ones does not count. Sentences for people. */
export type NamedAgentsView = { items: NamedAgentView[]; problems: string[]; notes: string[] }
