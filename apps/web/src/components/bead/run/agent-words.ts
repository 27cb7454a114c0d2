import { counted } from '@beadloom/core/text/count-text.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import type { AgentView } from '@beadloom/core/api/agents-api.ts'
import { agentTitles, type AgentName } from '@beadloom/core/agents/agent-names.ts'
import type { ProjectView } from '@beadloom/core/api/api.ts'
import type { RunChoice } from '@beadloom/core/execution/execution.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { isDemo } from '../../../feed/demo.ts'

/** An agent's title; a name that is not known here stays as it is. */
export const titleOf = (name: string): string =>
  Object.hasOwn(agentTitles, name) ? agentTitles[name as AgentName] : name

/** What the server has for it: version, image, model. */
export function agentText({ image, version, model }: AgentView): string {
  const installed =
    image === null
      ? []
      : [image.bytes === null ? 'installed on first use, which takes a minute' : bytesText(image.bytes)]
  const facts = [...(version === null ? [] : [`version ${version}`]), ...installed]
  const sentence = facts.length === 0 ? '' : `${capital(facts.join(', '))}. `
  return `${sentence}${model.ok ? `Model: ${model.text}` : capital(model.text)}.`
}

/** What a project's model is, where that has to be known before it runs; null otherwise. */
export const modelNoteOf = ({ model, modelNote }: Pick<ProjectView, 'model' | 'modelNote'>): string | null =>
  isDemo({ model }) ? 'Demo · recorded run, no AI' : modelNote && `${model ?? ''}: ${modelNote}`

/** Why it cannot run on this server; null where it can. */
export const agentProblem = ({ model }: AgentView): string | null => (model.ok ? null : `${capital(model.text)}.`)

/** "with Codex, model gpt-5-codex": what a person chose for one execution; null where the project decides. */
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
