import { z } from 'zod/mini'

/** Further ones were dismissed long ago: they are older than anything that the inbox shows. */
export const MOST_DISMISSED = 500
const AT_ONCE = 200
const LONGEST_NAME = 200

const names = z.array(z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME))).check(z.maxLength(AT_ONCE))

/** Names of notices, as the dashboard makes them. */
export const ChangeInbox = z.strictObject({ dismiss: z.optional(names), restore: z.optional(names) })
export type ChangeInbox = z.infer<typeof ChangeInbox>

/** The newest that were dismissed, oldest first. */
export type InboxView = { dismissed: string[] }
