import { capital } from '../text/sentence.ts'
const BLOCKED = /^failed\nthe agent is blocked: /

/**
 * The end of a session, for people: its outcome and its own words, as sentences. An agent with a question has not
 * failed: its bead waits for the answer.
 *
 * @param text its outcome; details from the second line on
 */
export const endWords = (text: string): string =>
  capital(text.replace(BLOCKED, 'blocked\n').replace('\nthe agent ', '\nThe agent '))
