import { secretsOfProse } from './secrets-of-change.ts'

const MASK = '***'
/** A limit, because each costs a walk over the text. */
const MOST_SECRETS = 100

/** A text for people without the secrets that a rule finds. */
export function maskedSecrets(text: string): string {
  const secrets = new Set<string>()
  for (const secret of secretsOfProse(text)) {
    if (secret !== '') secrets.add(secret)
    if (secrets.size > MOST_SECRETS) return '(This text is left out: too much of it looks like a secret.)'
  }
  // A longer secret may contain a shorter one.
  const longestFirst = [...secrets].toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}
