import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import { agentNames, agentTitles, isPreset, type AgentName } from '@beadloom/core/agents/agent-names.ts'
import { apiOfAgent, presets } from '@beadloom/core/agents/presets.ts'
import { type Engine, EngineError } from '../../ports/engine.ts'
import type { Gateway } from '../../ports/gateway.ts'

type AgentsDeps = { engine: Pick<Engine, 'agentBytes'>; gateway: Pick<Gateway, 'check'> }

/** Every agent that a project can name, with its image and its model. Asks the engine, which may take seconds. */
export const listAgents = (deps: AgentsDeps): Promise<AgentView[]> =>
  Promise.all(agentNames.map((name) => viewOf(deps, name)))

async function viewOf({ engine, gateway }: AgentsDeps, name: AgentName): Promise<AgentView> {
  const api = apiOfAgent(name)
  const { ok, text } = await gateway.check(null, null, api)
  const model = { ok, text }
  const title = agentTitles[name]
  if (!isPreset(name)) return { name, title, package: null, version: null, api, image: null, model }
  const { package: pack, version } = presets[name]
  const bytes = await engine.agentBytes({ name, package: pack, version }).catch((error: unknown) => {
    if (error instanceof EngineError) return null // the status reports Docker's problem
    throw error
  })
  return { name, title, package: pack, version, api, image: { bytes }, model }
}
