import { isVisible } from '../../text/visible.ts'
import { refusedFields } from '../../bead/bead-edit.ts'
import { fitsInLine, hasRoom, LONGEST_DESCRIPTION, TOO_LONG } from '../../bead/tracker-line.ts'
import { z } from 'zod/mini'

/** A line of text without control characters. */
const line = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[^\p{Cc}]*$/u, 'must be one line of text'))
const NO_NUL = z.regex(/^[^\0]*$/, 'must not contain NUL characters')
const title = line(500).check(z.refine(isVisible, 'must not be empty'))
const description = z.string().check(z.maxLength(LONGEST_DESCRIPTION), NO_NUL)
const priority = z.int().check(z.minimum(0), z.maximum(4))
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

const type = z.enum(beadTypes, `must be one of ${beadTypes.join(', ')}`)

/** The same texts as for a change. What no tracker could hold is refused here, because nobody has seen the bead yet. */
export const NewBead = z
  .strictObject({
    title,
    description: z.optional(description),
    priority: z.optional(priority),
    type: z.optional(type),
    labels: z.optional(z.array(label).check(z.maxLength(MOST_CHANGES))),
    /** Ids of the project's beads that must be done before this one can run. */
    dependsOn: z.optional(z.array(edge.shape.dependsOn).check(z.maxLength(MOST_CHANGES))),
  })
  .check(
    z.refine((bead) => fitsInLine(bead.description ?? '') && hasRoom(bead), {
      path: ['description'],
      error: `its line in the tracker ${TOO_LONG}`,
    }),
  )
export type NewBead = z.infer<typeof NewBead>

/** A person closes or reopens a bead, or changes its texts; the tracker gets the change. */
export const ChangeBead = z.strictObject({
  status: z.optional(z.enum(['open', 'done'])),
  title: textChange(title),
  description: textChange(description),
  acceptance: textChange(z.string().check(z.maxLength(20_000), NO_NUL)),
  type: z.optional(z.strictObject({ was: z.string(), to: type })),
  priority: z.optional(z.strictObject({ was: z.int(), to: priority })),
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
