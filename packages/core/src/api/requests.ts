import { refusedFields } from '../bead/bead-edit.ts'
import { z } from 'zod/mini'
import { agentNames } from '../agents/agent-names.ts'
import { LEAST_MONEY, MOST_MONEY, MOST_TOKENS } from '../budget/limits.ts'
import { planLimits } from '../records/plan.ts'
import { planningApproval, planningWhen } from '../records/planning.ts'
import { freshStartFields } from '../execution/fresh-starts/fresh-starts.ts'
import { retryFields } from '../records/retry.ts'
import { MOST_REGISTRY_NAME, REGISTRY_FORM, registryName } from '../project/registry-name.ts'

/* The requests of the HTTP API: schemas that validate them, and from which the OpenAPI document is generated. */

export const AddProject = z.strictObject({
  /** A path on the server's machine or a URL. */
  source: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** Default: from the last part of `source`. */
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  /** The branch that work starts from. Default: as the default branch's `beadloom.json` says, or that branch itself. */
  base: z.optional(z.string().check(z.minLength(1), z.maxLength(900))),
})
export type AddProject = z.infer<typeof AddProject>

export const PushImage = z.strictObject({
  /** Default: the registry of the project's engine. */
  registry: z.optional(z.string().check(z.maxLength(MOST_REGISTRY_NAME), z.regex(registryName, REGISTRY_FORM))),
})
export type PushImage = z.infer<typeof PushImage>

export const ChangeProject = z.strictObject({ autopilot: z.optional(z.nullable(z.boolean())) })
export type ChangeProject = z.infer<typeof ChangeProject>

export const NewBead = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(500)),
  description: z.optional(z.string().check(z.maxLength(100_000))),
  priority: z.optional(z.int().check(z.minimum(0), z.maximum(4))),
  type: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
  labels: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100))),
  /** Ids of the project's beads that must be done before this one can run. */
  dependsOn: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(128))).check(z.maxLength(100))),
})
export type NewBead = z.infer<typeof NewBead>

/** One line without control characters. */
const line = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[^\p{Cc}]*$/u, 'must be one line of text'))
const NO_NUL = z.regex(/^[^\0]*$/, 'must not contain NUL characters')
/** `was`: the text that the person saw; if it has changed since, the change is refused. */
const textChange = (to: z.ZodMiniString) => z.optional(z.strictObject({ was: z.string(), to }))
const label = line(255).check(
  z.regex(/^[^,\s](?:[^,]*[^,\s])?$/, 'must not be empty, contain a comma, or begin or end with a space'),
)
const edge = z.strictObject({
  dependsOn: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Default: blocks. */
  type: z.optional(z.enum(['blocks', 'related', 'parent-child', 'discovered-from'])),
})
const MOST_CHANGES = 100

/** Types that every reader of trackers accepts. */
export const beadTypes = ['task', 'bug', 'feature', 'chore', 'epic'] as const

/** A person closes or reopens a bead, or changes its texts; the tracker gets the change. */
export const ChangeBead = z.strictObject({
  status: z.optional(z.enum(['open', 'done'])),
  title: textChange(line(500)),
  description: textChange(z.string().check(z.maxLength(50_000), NO_NUL)),
  acceptance: textChange(z.string().check(z.maxLength(20_000), NO_NUL)),
  type: z.optional(z.strictObject({ was: z.string(), to: z.enum(beadTypes) })),
  priority: z.optional(z.strictObject({ was: z.int(), to: z.int().check(z.minimum(0), z.maximum(4)) })),
  labels: z.optional(
    z.strictObject({
      add: z.optional(z.array(label).check(z.maxLength(MOST_CHANGES))),
      remove: z.optional(z.array(z.string()).check(z.maxLength(MOST_CHANGES))),
    }),
  ),
  dependencies: z.optional(
    z.strictObject({
      add: z.optional(z.array(edge).check(z.maxLength(MOST_CHANGES))),
      remove: z.optional(z.array(edge).check(z.maxLength(MOST_CHANGES))),
    }),
  ),
  /** Fields whose refusal by the tracker somebody has read. */
  dismiss: z.optional(z.array(z.enum(refusedFields)).check(z.maxLength(MOST_CHANGES))),
})
export type ChangeBead = z.infer<typeof ChangeBead>

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
  fromPhase: z.optional(z.int().check(z.minimum(1), z.maximum(planLimits.subtasks))),
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

export const AskReview = z.strictObject({
  /** Without a bead the whole work branch is reviewed. */
  bead: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  /** Even if exactly this was reviewed before. */
  again: z.optional(z.boolean()),
})
export type AskReview = z.infer<typeof AskReview>

export const DismissIssue = z.strictObject({ note: z.optional(z.string().check(z.maxLength(2000))) })
export type DismissIssue = z.infer<typeof DismissIssue>

/** A person's permission of weaker tests, with the reason. */
export const AllowTests = z.strictObject({
  why: z.optional(z.string().check(z.maxLength(2000))),
  /** Default: the holder of the server's token. */
  by: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
})
export type AllowTests = z.infer<typeof AllowTests>

/** Raises the limits of an execution by this much above its present use. At least one of the two is given. */
export const GrantBudget = z
  .strictObject({
    tokens: z.optional(z.int().check(z.positive(), z.maximum(MOST_TOKENS))),
    /** In units of the server's currency. */
    money: z.optional(z.number().check(z.minimum(LEAST_MONEY), z.maximum(MOST_MONEY))),
  })
  .check(
    z.refine(({ tokens, money }) => tokens !== undefined || money !== undefined, 'grant "tokens", "money" or both'),
  )
export type GrantBudget = z.infer<typeof GrantBudget>

export const ApprovePlan = z.strictObject({
  /** The version that the person read, so that no other one is approved by mistake. Default: the newest. */
  version: z.optional(z.int().check(z.positive())),
})
export type ApprovePlan = z.infer<typeof ApprovePlan>

export const AskPullRequest = z.strictObject({
  /** Default: made from the beads. */
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
})
export type AskPullRequest = z.infer<typeof AskPullRequest>
