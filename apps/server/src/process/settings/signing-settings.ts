import { isAbsolute } from 'node:path'
import { z } from 'zod/mini'

/** `signing` of `config.json`. No repository's file can name a key: it is the server's, and no container sees it. */
export const signingSettings = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal('ssh'),
    /** The key's file, or its public half if an agent holds the key. */
    key: z.string().check(z.refine(isAbsolute, 'must be the absolute path of a key file')),
  }),
  z.strictObject({
    format: z.literal('openpgp'),
    key: z
      .string()
      .check(
        z.regex(
          /^(?:0x)?[\dA-Fa-f]{8,64}!?$|^[^\s<>@-][^\s<>@]{0,200}@[^\s<>@]{1,200}$/,
          'must be the fingerprint or the address of a key',
        ),
      ),
  }),
])

export type Signing = z.infer<typeof signingSettings>
