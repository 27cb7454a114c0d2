import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { signingProblem } from '../hub/try-signing.ts'
import { systemClock } from '../process/clock.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'

/** Checks whether the server can sign commits with its key; empty without a key. */
export async function checkSigning({ signing }: ServerSettings, env: Environment): Promise<Check[]> {
  if (signing === null) return []
  const problem = await signingProblem(signing, env, systemClock)
  return [
    problem === null
      ? { name: 'signing', ok: true, text: `commits are signed with ${signing.format} by ${signing.key}` }
      : { name: 'signing', ok: false, text: problem },
  ]
}
