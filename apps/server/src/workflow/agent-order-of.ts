import { agentsByName, type NamedAgent } from '@beadloom/core/agents/named/agents-by-name.ts'
import type { AgentOrder, OrderedAgent } from '@beadloom/core/execution/session-order.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { windowOf } from '@beadloom/core/context/model-windows.ts'
import { warn, type LiveExecution } from '../execution/live-execution.ts'
import { HubError } from '../ports/hub.ts'
import { agentFor } from '../sandbox/agent-order.ts'
import { agentsAt } from './agents-at.ts'
import { shippedTemplate } from './retry-template.ts'

/** The order of a session's agent; for the built-in one, with the sub-agents that it can ask. */
export async function agentOrderOf(live: LiveExecution, session: SessionId): Promise<AgentOrder> {
  const order = agentFor(live, session)
  if (order.name === 'command') return { ...order, ...(await filesOf(live)) }
  return order.name === 'openai' ? { ...order, agents: await agentsFor(live) } : order
}

/**
 * The same for a working agent, which may have fresh starts.
 *
 * @param checks that its own workspace has to pass before it counts as done; none if red tests may be wanted
 */
export async function workerOrderOf(
  live: LiveExecution,
  session: SessionId,
  checks: readonly VerifyStep[],
): Promise<AgentOrder> {
  const order = await agentOrderOf(live, session)
  const { retryOnFailure, maxRetries, retryCondition, retryPromptTemplate } = live.settings.freshStarts
  if (order.name !== 'openai' || !retryOnFailure || maxRetries === 0) return order
  const template = retryPromptTemplate ?? shippedTemplate
  return { ...order, freshStarts: { maxRetries, retryCondition, template, checks: [...checks] } }
}

/** Files for a command. A command comes from the base branch, like all settings. */
async function filesOf({ deps, project }: LiveExecution): Promise<{ files?: string }> {
  try {
    const base = await deps.hub.current(project)
    return base === null ? {} : { files: base.commit }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return {} // then there are no files to begin with, either
  }
}

/** The agents of the base branch as the hub knows it now. A broken file is reported once, and stops no session. */
async function agentsFor(live: LiveExecution): Promise<OrderedAgent[]> {
  const { hub, store } = live.deps
  try {
    const base = await hub.current(live.project)
    const { agents, problems } = base ? await agentsAt(hub, live.project.id, base.commit) : agentsByName([])
    if (store.sessions(live.id).filter(({ kind }) => kind === 'work').length <= 1)
      for (const problem of problems) await warn(live, problem)
    return agents.map((agent) => ordered(live, agent))
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    await warn(live, `The agents of the base branch could not be read: ${error.message}`)
    return agentsByName([]).agents.map((agent) => ordered(live, agent))
  }
}

/** Claude Code's short names for models: if no model here has that name, they mean the session's own. */
const SHORT_NAMES: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku'])
const SCRIPTED = 'scripted'

function ordered(
  { deps: { gateway, windows }, settings }: LiveExecution,
  { from: _from, ...agent }: NamedAgent,
): OrderedAgent {
  const { model } = agent
  const name = model === null ? null : gateway.nameOf(model)
  const unknown = name === null || name === SCRIPTED || (SHORT_NAMES.has(name) && name === model)
  // A scripted session asks no real model, whatever its repository says.
  if (unknown || gateway.nameOf(settings.model) === SCRIPTED) return { ...agent, model: null }
  return { ...agent, windowTokens: windowOf(name, windows) }
}
