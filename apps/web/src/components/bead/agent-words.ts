import type { AgentView } from '@beadloom/core/agents-api.ts'
import { agentNames, isPreset, presets, type AgentName, type PresetName } from '@beadloom/core/agents/presets.ts'
import { bytesText } from '../../ui/time-text.ts'

const titles: Record<Exclude<AgentName, PresetName>, string> = {
  openai: 'Built-in agent',
  command: 'Command line',
}

/** An agent for people; a name that nobody knows stays as it is. */
export const titleOf = (name: string): string =>
  isAgent(name) ? (isPreset(name) ? presets[name].title : titles[name]) : name

const isAgent = (name: string): name is AgentName => (agentNames as readonly string[]).includes(name)

/** What is here for it: version, image, model. */
export function agentText({ image, version, model }: AgentView): string {
  const installed =
    image === null
      ? []
      : [image.bytes === null ? 'installed when it is first needed, which takes a minute' : bytesText(image.bytes)]
  const facts = [...(version === null ? [] : [`version ${version}`]), ...installed]
  const sentence = facts.length === 0 ? '' : `${capital(facts.join(', '))}. `
  return `${sentence}${model.ok ? `Model: ${model.text}` : capital(model.text)}.`
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
