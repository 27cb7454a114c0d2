import { allowedFrom, type BeadStatus } from '../records/bead.ts'
import type { RunChoice } from '../records/execution.ts'

/** Everything that may keep a bead from being queued; a caller leaves out what it cannot know. */
export type QueueFacts = {
  status: BeadStatus
  /** Its live execution waits, or runs. The store refuses a second one, too. */
  live?: 'queued' | 'running' | null
  /** It is no work of its own: an epic, a gate. */
  notWork?: string | null
  /** A reminder of this bead. */
  reminderOf?: string | null
  /** It is run for an answer to a question that is not open any more. */
  isStale?: boolean
  /** Somebody's claim in the tracker counts. */
  claim?: { text: string; tracker: string } | null
  /** Its project cannot use the agent or model that a person chose. */
  unusable?: string | null
  /** The epic whose running plan does it. */
  inPlanOf?: string | null
}

export type QueueRefusal = { code: string; text: string }

/** The first reason why a bead cannot be queued now; null: it can. `it` names the bead in the sentence. */
export function refusalToQueue(it: string, id: string, facts: QueueFacts): QueueRefusal | null {
  const { status, live, notWork, reminderOf, isStale, claim, unusable, inPlanOf } = facts
  if (live) return { code: 'already_live', text: `${it} is already ${live}` }
  const from: readonly BeadStatus[] = allowedFrom.started
  if (!from.includes(status)) return { code: 'done', text: `${it} is done; reopen it first` }
  if (notWork) return { code: 'not_work', text: notWork }
  if (reminderOf) return { code: 'reminder', text: `${it} is only a reminder; run ${reminderOf} instead` }
  if (isStale) {
    const why = 'it was answered or closed, or has run since'
    return { code: 'not_asked', text: `${it} does not wait for this answer any more: ${why}` }
  }
  if (claim) {
    const how = claim.tracker === 'bd' ? ` (bd update ${id} --status open --assignee "")` : ''
    return { code: 'claimed', text: `${it} is ${claim.text}: it can run once it is open there again${how}` }
  }
  if (unusable) return { code: 'agent_unusable', text: unusable }
  if (inPlanOf) return { code: 'in_plan', text: `${it} is part of the running plan of ${inPlanOf}: it is done there` }
  return null
}

/** Its plan waits for a person. */
export function planWaits(id: string, version: number): QueueRefusal {
  const how = `See it: beadloom plan ${id}; approve it: beadloom plan ${id} --approve`
  return { code: 'plan_waits', text: `the plan of ${id} (version ${version}) waits for your approval. ${how}` }
}

const BUILT_IN = 'openai'

/** A project's own choices, as far as they matter to a person's. */
type OwnAgent = {
  command: string | null
  scenario: string | null
  agent: string | null
  beads: Record<string, { agent?: string | undefined }>
}

/** Why the project cannot use the agent or model that a person chose; null: it can. */
export function whyUnusable(
  own: OwnAgent | null,
  bead: string,
  { agent, model, retryOnFailure }: RunChoice,
): string | null {
  if (agent === 'command' && !own?.command)
    return 'the agent "command" needs a command line: set "command" in beadloom.json'
  if (model === 'scripted' && !own?.scenario)
    return 'the model "scripted" needs a scenario: set "scenario" in beadloom.json'
  const works = agent ?? own?.beads[bead]?.agent ?? own?.agent ?? BUILT_IN
  if (retryOnFailure === true && works !== BUILT_IN)
    return `only the built-in agent has fresh starts, and ${works} works on ${bead}: leave out "retryOnFailure", or choose the agent "${BUILT_IN}"`
  return null
}
