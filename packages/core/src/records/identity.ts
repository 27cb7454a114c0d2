/** A person in a commit. */
export type Identity = { name: string; email: string }

/** The author and the committer of a commit. */
export type Signature = { author: Identity; committer: Identity }

/** The identity if no person is known. */
export const beadloom: Identity = { name: 'Beadloom', email: 'beadloom@localhost' }
export const usualSignature: Signature = { author: beadloom, committer: beadloom }

/** `Ada Lovelace <ada@example.org>`, as git writes it. */
export const IDENTITY = /^([^<>\p{Cc}]*[^<>\p{Cc}\s]) *<([^<>\s\p{Cc}]+)>$/u

export function parseIdentity(text: string): Identity | null {
  const [, name, email] = IDENTITY.exec(text.trim()) ?? []
  return name === undefined || email === undefined ? null : { name: name.trim(), email }
}

export const identityText = ({ name, email }: Identity): string => `${name} <${email}>`

/** A person's identity from their sign-in name, which may be an address; null: git accepts no part of it. */
export function identityOfName(by: string): Identity | null {
  const name = by.replace(/[<>\p{Cc}]/gu, '').trim()
  if (name === '') return null
  const email = /^[^\s@]+@[^\s@]+$/.test(name) ? name : `${name.replace(/\s+/g, '.')}@localhost`
  return { name, email }
}

/** The signature of commits: from the settings, else this person; null: nobody is known. */
export function signatureFrom(
  { author, committer }: { author: Identity | null; committer: Identity | null },
  person: Identity | null,
): Signature {
  const wrote = author ?? person ?? beadloom
  return { author: wrote, committer: committer ?? wrote }
}

/** The line from which git hosts show a commit's co-author. */
export const coAuthored = (who: Identity): string => `Co-authored-by: ${identityText(who)}`
