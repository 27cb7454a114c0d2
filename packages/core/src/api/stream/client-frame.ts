import { z } from 'zod/mini'

/**
 * The frames that the server accepts from clients. In a file of their own, so that clients need not load the schemas.
 */
const channel = z.int().check(z.nonnegative(), z.maximum(0xffffffff))
const position = z.int().check(z.nonnegative())

export const ClientFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), proto: z.int() }),
  /**
   * `epoch` belongs to the data that the client holds. If it is missing or another one, the server begins with a
   * snapshot.
   */
  z.strictObject({
    type: z.literal('sub'),
    ch: channel,
    topic: z.string().check(z.maxLength(200)),
    next: position,
    epoch: z.optional(z.string()),
  }),
  z.strictObject({ type: z.literal('unsub'), ch: channel }),
  z.strictObject({ type: z.literal('ping'), t: z.number() }),
])
export type ClientFrame = z.infer<typeof ClientFrame>
