/**
 * Escape sequences as terminals know them: CSI (colours, cursor), OSC (titles, links; ended by BEL or ST, and cut at
 * 4096 characters and at the line's end: an open one must not swallow the rest), character sets, and pairs.
 */
const SEQUENCES =
  // eslint-disable-next-line no-control-regex
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|\x1b[()#%][0-9A-Z]?|\x1b[78=>@-Z\\^_c]/g
// eslint-disable-next-line no-control-regex
const LEFTOVERS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+/g

/** Text without escape sequences; the remains of broken ones stay. */
export const stripSequences = (text: string): string => text.replace(SEQUENCES, '')

/** Text without escape sequences and control characters; newlines, carriage returns and tabs stay. */
export function stripAnsi(text: string): string {
  return stripSequences(text).replace(LEFTOVERS, '')
}
