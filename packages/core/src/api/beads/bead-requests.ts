import { refusedFields } from '../../bead/bead-edit.ts'
import { z } from 'zod/mini'

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

/** A line of text without control characters. */
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
