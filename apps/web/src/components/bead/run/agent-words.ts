import { counted } from '@beadloom/core/text/count-text.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import { agentTitles, type AgentName } from '@beadloom/core/agents/agent-names.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { RunChoice } from '@beadloom/core/records/execution.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { isDemo } from '../../../feed/demo.ts'

/** An agent's title; an unknown name is its own title. */
export const titleOf = (name: string): string =>
  Object.hasOwn(agentTitles, name) ? agentTitles[name as AgentName] : name

/** The server's version, image and model for an agent. */
export function agentText({ image, version, model }: AgentView): string {
  const installed =
    image === null
      ? []
      : [image.bytes === null ? 'installed on first use, which takes a minute' : bytesText(image.bytes)]
  const facts = [...(version === null ? [] : [`version ${version}`]), ...installed]
  const sentence = facts.length === 0 ? '' : `${capital(facts.join(', '))}. `
  return `${sentence}${model.ok ? `Model: ${model.text}` : capital(model.text)}.`
}

/** The note about a project's model that a person should read before a run; null: there is none. */
export const modelNoteOf = ({ model, modelNote }: Pick<ProjectView, 'model' | 'modelNote'>): string | null =>
  isDemo({ model }) ? 'Demo · recorded run, no AI' : modelNote && `${model ?? ''}: ${modelNote}`

/** The reason why an agent cannot run on this server; null: it can. */
export const agentProblem = ({ model }: AgentView): string | null => (model.ok ? null : `${capital(model.text)}.`)

/** "with Codex, model gpt-5-codex": a person's choice for one execution; null if the project decides. */
export function chosenText(chosen: RunChoice | undefined): string | null {
  const { agent, model } = chosen ?? {}
  const parts = [
    ...(agent === undefined ? [] : [titleOf(agent)]),
    ...(model === undefined ? [] : [`model ${model}`]),
    ...freshStartsText(chosen ?? {}),
  ]
  return parts.length === 0 ? null : `with ${parts.join(', ')}`
}

function freshStartsText({ retryOnFailure, maxRetries }: RunChoice): string[] {
  if (retryOnFailure === undefined) return maxRetries === undefined ? [] : [`up to ${maxRetries} fresh starts`]
  if (!retryOnFailure) return ['no fresh starts']
  return [maxRetries === undefined ? 'fresh starts' : `up to ${counted(maxRetries, 'fresh start')}`]
}
