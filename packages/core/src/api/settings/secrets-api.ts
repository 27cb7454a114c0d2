import { z } from 'zod/mini'
import { InvalidInput } from '../../records/ids.ts'
import { isVariable, LONGEST_VALUE, VARIABLE_SAYS } from '../../project/variables.ts'

/** A secret without its value. `wanted`: `beadloom.json` names it. */
export type SecretView = { name: string; set: boolean; wanted: boolean }

export const SetSecret = z.strictObject({ value: z.string().check(z.maxLength(LONGEST_VALUE)) })
export type SetSecret = z.infer<typeof SetSecret>

/** Throws with a message for people. */
export function parseSecretName(text: string): string {
  if (isVariable(text)) return text
  throw new InvalidInput(`the name of a secret ${VARIABLE_SAYS}`)
}
