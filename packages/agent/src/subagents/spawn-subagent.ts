import type { OrderedAgent } from '@beadloom/core/execution/session-order.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { z } from 'zod/mini'
import { defineTool, ToolRefusal, type Tool } from '../tools/tool.ts'
import { grantedTools } from './granted-tools.ts'
import { runSubAgent, type Spawning } from './run-subagent.ts'

const DEFAULT_STEPS = 10
/** The most in one session. Each has few steps too, so asking others cannot keep a bead busy for a day. */
const MOST_SUBAGENTS = 20
/** The model hears this many names, with this much of each description, because all of it is in every question. */
const AGENTS_LISTED = 30
const DESCRIPTION_SHOWN = 200

/** The tool with which an agent asks another one. Sub-agents do not have it: there is one level. */
export function spawnSubagent(
  spawning: Spawning,
  agents: readonly OrderedAgent[],
  parentTools: () => readonly Tool[],
): Tool {
  let spawned = 0
  const named = (name: string): OrderedAgent => {
    const agent = agents.find((one) => one.name === name)
    if (agent) return agent
    throw new ToolRefusal(
      `Agent '${name.slice(0, 100)}' not found; there are ${agents.map((one) => one.name).join(', ')}`,
    )
  }
  const mostSteps = spawning.order.maxSteps
  const usualSteps = Math.min(DEFAULT_STEPS, mostSteps)
  const input = inputFor(agents, usualSteps, mostSteps)
  const tool = defineTool({
    name: 'spawn_subagent',
    description:
      'Spawn an isolated sub-agent for a complex subtask. Use when: (1) task is self-contained, (2) context is filling up, (3) you need a fresh perspective. The sub-agent gets its own context window and returns a summary.',
    input,
    async run({ agent: name, task, context = '', tools: asked, maxSteps = usualSteps }, parent) {
      const agent = named(name)
      const tools = grantedTools(parentTools(), agent, asked)
      // If people are asked at a limit, they may have granted more.
      if (spawning.order.onLimit !== 'ask' && parent.tokens.spent.remaining <= 0)
        throw new ToolRefusal('no tokens are left for a sub-agent')
      if (spawned >= MOST_SUBAGENTS)
        throw new ToolRefusal(`a session has at most ${MOST_SUBAGENTS} sub-agents; do the rest yourself`)
      spawned += 1
      const result = await runSubAgent(spawning, { agent, task, context, tools, maxSteps, number: spawned }, parent)
      return { ok: result.success, text: JSON.stringify(result) }
    },
  })
  return {
    ...tool,
    title: 'Spawn Sub-Agent',
    categories: ['agent', 'execution'],
    requiresConfirmation: false,
    /** The sub-agent's tools tell, before it begins, whether it could change something. */
    readOnly(args) {
      try {
        const asked = z.safeParse(input, JSON.parse(args))
        if (!asked.success) return true // it is refused
        const tools = grantedTools(parentTools(), named(asked.data.agent), asked.data.tools)
        return tools.every(({ readOnly }) => readOnly === true)
      } catch {
        return true // it is refused, too
      }
    },
  }
}

function inputFor(agents: readonly OrderedAgent[], usualSteps: number, mostSteps: number) {
  const shown = agents.slice(0, AGENTS_LISTED).map(({ name, description }) => {
    const line = oneLine(description)
    return `${name} (${line.length > DESCRIPTION_SHOWN ? `${line.slice(0, DESCRIPTION_SHOWN - 1).toWellFormed()}…` : line})`
  })
  const text = (words: string) => z.string().check(z.regex(/\S/, 'is blank'), z.describe(words))
  return z.strictObject({
    agent: text(`Agent ID to spawn: ${shown.join('; ')}`),
    task: text('Clear, self-contained task description for the sub-agent'),
    context: z.optional(
      z.string().check(z.describe('Optional context to pass (file contents, previous findings, a diff)')),
    ),
    tools: z.optional(
      z
        .array(z.string())
        .check(
          z.maxLength(50),
          z.describe('Optional: limit tools available to sub-agent (default: all that it can have)'),
        ),
    ),
    maxSteps: z.optional(
      z
        .int()
        .check(
          z.minimum(1),
          z.maximum(mostSteps),
          z.describe(`Optional: max steps for the sub-agent (default: ${usualSteps})`),
        ),
    ),
  })
}
