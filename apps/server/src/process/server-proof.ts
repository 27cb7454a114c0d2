import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The header of a request to `/healthz` that asks a server to show that it knows the token. */
export const CHALLENGE_HEADER = 'beadloom-challenge'

export const newChallenge = (): string => randomBytes(32).toString('hex')

export const isChallenge = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)

/** Proves knowledge of the token without revealing it: the words in front keep it apart from every other use. */
export const proofOf = (token: string, challenge: string): string =>
  createHmac('sha256', token).update(`beadloom server\n${challenge}`).digest('hex')

export function isProof(answer: unknown, token: string, challenge: string): boolean {
  if (typeof answer !== 'string') return false
  const [given, expected] = [Buffer.from(answer), Buffer.from(proofOf(token, challenge))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
