import { packageName } from '@beadloom/core/agents/package-name.ts'
import { isPreset } from '@beadloom/core/agents/agent-names.ts'
import { presets } from '@beadloom/core/agents/presets.ts'
import type { AgentName } from '@beadloom/core/agents/agent-names.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { CHARACTERS_PER_TOKEN } from '@beadloom/core/context/context-meter.ts'
import { windowOf } from '@beadloom/core/context/model-windows.ts'
import type { AgentOrder } from '@beadloom/core/execution/session-order.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { AgentPackage } from '../ports/engine.ts'
import { tokensLeft } from '../budget/spender.ts'

/** Bounds of one tool call of the built-in agent: enough for a test suite, and a hang does not use up the deadline. */
const TOOL_TIMEOUT_MS = 600_000
const TOOL_OUTPUT_LIMIT = 30_000
/** The part of a small window that one result may fill: several then fit before the agent has to hand over. */
const RESULT_PART = 0.3

export function agentFor(live: LiveExecution, session: SessionId): AgentOrder {
  const settings = settingsFor(live)
  const { agent: name, command } = settings
  // It was stored with its model, which a person may have changed since the execution began.
  const chosen = live.deps.store.session(session)?.model ?? settings.model
  if (isPreset(name)) return { name: 'preset', preset: name, model: chosen, arguments: settings.agentArguments }
  const model = chosen ?? 'default'
  if (name === 'command' && command) return { name, command, model }
  const { gateway, windows } = live.deps
  const { limits, onLimit } = settings
  const tokenBudget = tokensLeft(live, session)
  const windowTokens = windowOf(gateway.nameOf(chosen) ?? '', windows)
  return {
    name: 'openai',
    model,
    maxSteps: limits.maxSteps,
    toolTimeoutMs: TOOL_TIMEOUT_MS,
    toolOutputLimit: Math.min(TOOL_OUTPUT_LIMIT, Math.floor(windowTokens * CHARACTERS_PER_TOKEN * RESULT_PART)),
    windowTokens,
    ...(tokenBudget !== null && { tokenBudget }),
    ...(typeof limits.warnAtPercent === 'number' && { warnAtPercent: limits.warnAtPercent }),
    ...(onLimit === 'ask' && { onLimit }),
  }
}

/** The agent of an execution. */
export function agentNameFor(live: LiveExecution): AgentName {
  const { agent, command } = settingsFor(live)
  return agent === 'command' && !command ? 'openai' : agent
}

/** The package that its environment needs; null for an agent that is not installed. */
export const packageFor = (live: LiveExecution): AgentPackage | null => packageOf(settingsFor(live))

/** The same for a bead without settings of its own. */
export function packageOf({
  agent,
  agentVersion,
}: Pick<ProjectSettings, 'agent' | 'agentVersion'>): AgentPackage | null {
  if (!isPreset(agent)) return null
  const version = agentVersion ?? presets[agent].version
  return { name: agent, package: packageName(presets[agent], version), version }
}

/** The settings, with the project's own ones for this bead. */
function settingsFor({ settings, bead }: LiveExecution): ProjectSettings {
  const own = settings.beads[bead.id]
  return { ...withAgent(settings, own?.agent ?? settings.agent), command: own?.command ?? settings.command }
}

/** Replaces the agent. A version and arguments belong to one agent, not to another that takes its place. */
export const withAgent = (settings: ProjectSettings, agent: AgentName): ProjectSettings =>
  agent === settings.agent ? settings : { ...settings, agent, agentVersion: null, agentArguments: [] }
