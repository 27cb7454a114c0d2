/** The tools of the built-in agent that another agent can be given. `spawn_subagent` is never one: there is one level. */
export const grantableTools = ['bash', 'search', 'read_file', 'write_file', 'edit_file', 'check_token_budget'] as const
export type GrantableTool = (typeof grantableTools)[number]

/** What an agent can be called. */
export const agentNamePattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/** An agent that can be asked for by its name. */
export type AgentDefinition = {
  name: string
  /** When it is the right one, for those who choose. */
  description: string
  /** Null: all that its parent has. */
  tools: GrantableTool[] | null
  /** Null: its parent's. */
  model: string | null
  /** Its system prompt. */
  prompt: string
}

/** Bounds of what a repository says about its agents. Real files have some kilobytes. */
export const agentLimits = {
  fileBytes: 64 * 1024,
  /** In each folder. */
  files: 50,
  /** All files together, whether they have an agent or not: reading takes work. */
  readBytes: 512 * 1024,
  /** Of all prompts and descriptions together: they go into the order of each session. */
  allBytes: 256 * 1024,
  /** Those that Claude Code writes have examples in them. */
  description: 8000,
} as const

/** Where a repository has them; what is in the first counts before what is in the second. */
export const agentFolders = ['.beadloom/agents', '.claude/agents'] as const
