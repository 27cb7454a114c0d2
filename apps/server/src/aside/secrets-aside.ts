import type { SecretsOfChange } from '@beadloom/core/secrets/found-secret.ts'
import { orStopped } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'

/** A rule is compiled when a text first needs it, and all of them together take this long. */
const TO_COMPILE_BYTES = 1024 ** 2

/**
 * Finds what looks like a secret in the lines that patches add; null: they take too much work to read. Even little text may
 * need every rule, so the server's own thread never reads it.
 */
export async function secretsAside(
  threads: AsideThreads,
  patches: readonly Uint8Array[],
): Promise<SecretsOfChange | null> {
  const size = patches.reduce((sum, { length }) => sum + length, 0)
  if (size === 0) return { found: [], more: false }
  const answer = await threads.inTurn((thread) => thread.ask({ do: 'secrets', patches }, size + TO_COMPILE_BYTES))
  if (answer !== null && 'more' in answer) return answer
  orStopped(answer, 'a change was searched for secrets')
  return null
}
