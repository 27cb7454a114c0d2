import type { HostedTool } from './hosted-tools.ts'
import type { Refusal } from './walk.ts'

/** What of requests did not reach the model. */
export function keptBackText(dropped: readonly string[], refused: Refusal | null): string {
  const left = dropped.length === 0 ? [] : [`Left out of requests to the model: ${dropped.join(', ')}`]
  const no = refused === null ? [] : [`A request to the model was refused because of ${refused.what}: ${refused.why}`]
  return [...left, ...no].join('. ')
}

/** What the model's endpoint may run for a project; null: nothing. */
export const openedText = (tools: readonly HostedTool[]): string | null =>
  tools.length === 0
    ? null
    : `The model's endpoint may run ${tools.join(', ')} for this project, past the hosts that it allows: "hostedTools" in config.json.`
