/**
 * The tools of the built-in agent that another agent can be given. `spawn_subagent` is never among them: there is only
 * one level of sub-agents.
 */
export const grantableTools = ['bash', 'search', 'read_file', 'write_file', 'edit_file', 'check_token_budget'] as const
export type GrantableTool = (typeof grantableTools)[number]

/** The form of an agent's name. */
export const agentNamePattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/** An agent that another agent can ask by name. */
export type AgentDefinition = {
  name: string
  /** Helps to choose: when this agent is the right one. */
  description: string
  /** Null: all tools of its parent. */
  tools: GrantableTool[] | null
  /** Null: its parent's model. */
  model: string | null
  /** Its system prompt. */
  prompt: string
}

/** Bounds of a repository's agent files. Real files have some kilobytes. */
export const agentBounds = {
  fileBytes: 64 * 1024,
  /** In each folder. */
  files: 50,
  /** All files together, whether they define an agent or not: reading takes work. */
  readBytes: 512 * 1024,
  /** All prompts and descriptions together: the order of each session contains them. */
  allBytes: 256 * 1024,
  /** Descriptions that Claude Code writes contain examples. */
  description: 8000,
} as const

/** A repository's folders of agents; the first one counts before the second. */
export const agentFolders = ['.beadloom/agents', '.claude/agents'] as const
