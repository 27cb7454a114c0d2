import type { AgentRole } from '../loop/agent-role.ts'
import type { Tool } from '../tools/tool.ts'

/** A role whose agent may ask others. When it is offered no tools at all, it does not get this one either. */
export const delegating = (role: AgentRole, spawn: Tool): AgentRole => ({
  ...role,
  system: `${role.system}\n${GUIDANCE}`,
  tools: () => {
    const tools = role.tools()
    return tools.length === 0 ? tools : [...tools, spawn]
  },
})

const GUIDANCE = `\
## Sub-Agent Spawning

A sub-agent works on one task with a fresh context, in your workspace, and returns a summary. It knows only the task and the context that you give it, and commits nothing.

Use \`spawn_subagent\` when:
- a subtask is self-contained: a code review, tests for what is there, documentation
- your context is filling up: more than 70% used, as \`check_token_budget\` says
- you need a fresh perspective on a problem
- parts of the work are independent, such as a review while you implement; sub-agents that only read run side by side

Do NOT spawn sub-agents for:
- simple single-step operations
- tasks that need what only you know of the work in progress
- the last steps, when you are close to finishing
`
