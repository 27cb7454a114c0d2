import { codeSpan } from './fenced.ts'

/* Markdown for people that a forge's robots read, too. */

const MOST_NAME = 120
const BREAK = '\u200b'

/** A stranger's words as code on one line, at most 120 characters, and nothing in it triggers an action of a forge. */
export const inertCode = (text: string): string => inert(codeSpan(text, MOST_NAME))

/**
 * Forges act on words in the text, some of them even in code: mentions, references that close issues, addresses, and
 * commands at the beginning of a line. An invisible character breaks them up.
 */
export function inert(text: string): string {
  return text
    .replace(/[@#]/g, `$&${BREAK}`)
    .replace(/:(?=\/\/)/g, `:${BREAK}`)
    .replace(/\bGH-(?=\d)|\bwww(?=\.)/gi, `$&${BREAK}`)
    .replace(/^([^\S\n\r\u2028\u2029]*)\//gm, `$1${BREAK}/`)
}
