import type { AgentView } from '@beadloom/core/api/agents-api.ts'
import { agentNames, apiOfAgent, isPreset, presets } from '@beadloom/core/agents/presets.ts'

/** As on a server with a key for OpenAI's API alone, on which two agents have been used. */
export const agentsOf = (): AgentView[] =>
  agentNames.map((name) => {
    const api = apiOfAgent(name)
    const model =
      api === 'messages'
        ? {
            ok: false,
            text: "no model configured for Anthropic's API: set ANTHROPIC_API_KEY and start the server again",
          }
        : { ok: true, text: 'gpt-5 at https://api.openai.com' }
    const bytes = name === 'codex' ? 423_000_000 : name === 'pi' ? 23_000_000 : null
    const base = { name, api, model }
    if (!isPreset(name)) return { ...base, title: name, package: null, version: null, image: null }
    const { title, package: pack, version } = presets[name]
    return { ...base, title, package: pack, version, image: { bytes } }
  })
