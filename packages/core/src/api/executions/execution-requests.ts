import { z } from 'zod/mini'
import { agentNames } from '../../agents/agent-names.ts'
import { isVisible } from '../../text/visible.ts'
import { messageTimes, MOST_OF_A_MESSAGE } from '../../records/message.ts'
import { MOST_PAUSED_MS, pauseEnds } from '../../records/pause.ts'
import { planBounds } from '../../records/plan.ts'
import { planningApproval, planningWhen } from '../../records/planning.ts'
import { freshStartFields } from '../../execution/fresh-starts/fresh-starts.ts'
import { retryFields } from '../../records/retry.ts'

/** A week, as in `beadloom.json`. */
const MOST_SECONDS = 7 * 24 * 3600

export const QueueExecution = z.strictObject({
  /** `plan`: an architect plans the bead, also where it has a plan; the work follows unless it waits for approval. */
  kind: z.optional(z.enum(['work', 'plan'])),
  /** For this execution alone. `when: "never"`: one session does it, even if there is a plan. */
  planning: z.optional(
    z.strictObject({ when: z.optional(z.enum(planningWhen)), approve: z.optional(z.enum(planningApproval)) }),
  ),
  /**
   * With a plan: begins again at this phase, even if it and later ones are done. Default: the first phase that is not
   * done.
   */
  fromPhase: z.optional(z.int().check(z.minimum(1), z.maximum(planBounds.subtasks))),
  /** Free text for the agent: section ADDITIONAL CONTEXT of its prompt. */
  context: z.optional(z.string().check(z.maxLength(20_000))),
  /** The execution whose question `context` answers; refused if a newer execution has followed it. */
  answers: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  /** For this execution alone; default: the project's. */
  agent: z.optional(z.enum(agentNames)),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ...freshStartFields,
  ...retryFields,
})
export type QueueExecution = z.infer<typeof QueueExecution>

const pauseFields = {
  /** Default: the project's `limits.pauseSeconds`. */
  seconds: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_PAUSED_MS / 1000))),
  /** Its end if nobody has resumed it until then. Default: `stop`. */
  atEnd: z.optional(z.enum(pauseEnds)),
}

/**
 * Pauses a running execution. `call`: its agent's next call to a model waits, and so does its next step. `now`: the same,
 * and what its agents are doing is ended. `phase`: work by a plan waits once its present phase is done, without a
 * container.
 */
export const PauseExecution = z.strictObject({ at: z.optional(z.enum(['call', 'now', 'phase'])), ...pauseFields })
export type PauseExecution = z.infer<typeof PauseExecution>

/** Ends what the agents of a running execution do; the next message to them resumes it. */
export const StopTurn = z.strictObject(pauseFields)
export type StopTurn = z.infer<typeof StopTurn>

/** Changes a running execution: the model of its agents' next calls, or its time limit in all. */
export const ChangeExecution = z
  .strictObject({
    model: z.optional(z.string().check(z.maxLength(200), z.regex(/^[^\s\p{C}]+$/u, 'a name without spaces'))),
    executionTimeoutSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_SECONDS))),
  })
  .check(z.refine((change) => Object.keys(change).length > 0, 'name a model or a time limit'))
export type ChangeExecution = z.infer<typeof ChangeExecution>

/** Says something to the agent of a running execution. */
export const SayMessage = z.strictObject({
  text: z.string().check(z.maxLength(MOST_OF_A_MESSAGE), z.refine(isVisible, 'say something')),
  /** Default: `step`. */
  when: z.optional(z.enum(messageTimes)),
  /** A session that works, or `all` of them. Default: the one that has worked for the longest time. */
  to: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  /** Refused unless it answers the question that has been asked since this time (milliseconds UTC). */
  answers: z.optional(z.int().check(z.nonnegative())),
})
export type SayMessage = z.infer<typeof SayMessage>

/** A person's permission of weaker tests, with the reason. */
export const AllowTests = z.strictObject({
  why: z.optional(z.string().check(z.maxLength(2000))),
  /** Default: the holder of the server's token. */
  by: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
})
export type AllowTests = z.infer<typeof AllowTests>
