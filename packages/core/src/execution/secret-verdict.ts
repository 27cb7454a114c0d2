import type { FoundSecret } from '../secrets/found-secret.ts'
import { notAllowed, whoAllowed, type TestsAllowed } from './allowed.ts'

/** `now`: in the present files; `before`: only in an earlier commit. `unread` and `unsearched`: sentences about the rest. */
export type SearchedSecrets = {
  now: readonly FoundSecret[]
  before: readonly FoundSecret[]
  /** The search itself is incomplete, which is refused like a secret. */
  unread: readonly string[]
  /** Files that nobody can search, which are only reported. */
  unsearched: readonly string[]
}

/**
 * `hidden`: an earlier commit has a secret that nobody allowed, so the commits become one. `text`: for people. `refused`:
 * findings for which the attempt fails.
 */
export type SecretVerdict = { findings: string[]; refused: string[]; hidden: boolean; text: string }

/**
 * The verdict on a search. Null: it found nothing.
 *
 * @param sentence about a secret, with its mark
 */
export function secretVerdict(
  { now, before, unread, unsearched }: SearchedSecrets,
  mode: 'refuse' | 'tell',
  allowed: readonly TestsAllowed[],
  sentence: (one: FoundSecret) => string,
): SecretVerdict | null {
  const here = [...now.map(sentence), ...unread, ...unsearched]
  const earlier = before.map(sentence)
  if (here.length + earlier.length === 0) return null
  const open = (some: readonly FoundSecret[], more: readonly string[] = []) =>
    mode === 'refuse' ? notAllowed([...some.filter(({ refused }) => refused).map(sentence), ...more], allowed) : []
  const refused = open(now, unread)
  const hidden = open(before).length > 0
  const after = hidden ? '; its commits become one, so that this one is not published' : whoAllowed(earlier, allowed)
  const text = [
    ...(here.length > 0 ? [`${here.join('; ')}${refused.length > 0 ? '' : whoAllowed(here, allowed)}`] : []),
    ...(earlier.length > 0 ? [`${earlier.join('; ')}${after}`] : []),
  ]
  return { findings: [...here, ...earlier], refused, hidden, text: text.join('; ') }
}
