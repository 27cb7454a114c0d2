import type { SecretsOfChange } from '@beadloom/core/secrets/found-secret.ts'
import type { WholeBytes } from '../ports/whole-bytes.ts'
import { orStopped } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'

/**
 * An allowance for compiling: a rule is compiled when a text first needs it, and all of them take as long as this text.
 */
const TO_COMPILE_BYTES = 1024 ** 2

/**
 * Finds texts that look like secrets in the lines that patches add and in whole texts; null: reading them takes too much
 * work. Even little text may need every rule, so the server's own thread never reads it.
 */
export async function secretsAside(
  threads: AsideThreads,
  patches: readonly Uint8Array[],
  texts: readonly WholeBytes[],
): Promise<SecretsOfChange | null> {
  const sizes = [...patches, ...texts.map(({ bytes }) => bytes)].map(({ length }) => length)
  const size = sizes.reduce((sum, length) => sum + length, 0)
  if (size === 0) return { found: [], more: false, toRead: [] }
  const answer = await threads.inTurn((thread) =>
    thread.ask({ do: 'secrets', patches, texts }, size + TO_COMPILE_BYTES),
  )
  if (answer !== null && 'more' in answer) return answer
  orStopped(answer, 'a change was searched for secrets')
  return null
}

const LEFT_OUT = '(This text is left out: it takes too much work to search it for secrets.)'

/** Masks the secrets in texts that leave the server. */
export async function maskedAside(threads: AsideThreads, texts: readonly string[]): Promise<string[]> {
  const size = texts.reduce((sum, { length }) => sum + length, 0)
  if (size === 0) return [...texts]
  const answer = await threads.inTurn((thread) => thread.ask({ do: 'mask', texts }, size + TO_COMPILE_BYTES))
  if (answer !== null && 'masked' in answer) return answer.masked
  orStopped(answer, 'texts were searched for secrets')
  return texts.map(() => LEFT_OUT)
}
