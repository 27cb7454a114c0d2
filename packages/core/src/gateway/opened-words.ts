import type { HostedTool } from './hosted-tools.ts'
import type { Refusal } from './walk.ts'

/** The parts of requests that did not reach the model, in words. */
export function keptBackText(dropped: readonly string[], refused: Refusal | null): string {
  const left = dropped.length === 0 ? [] : [`Left out of requests to the model: ${dropped.join(', ')}`]
  const no = refused === null ? [] : [`A request to the model was refused because of ${refused.what}: ${refused.why}`]
  return [...left, ...no].join('. ')
}

/** The tools that the model's endpoint may run for a project; null: none. */
export const openedText = (tools: readonly HostedTool[]): string | null =>
  tools.length === 0
    ? null
    : `The model's endpoint may run ${tools.join(', ')} for this project, past the hosts that it allows: "hostedTools" in config.json.`
