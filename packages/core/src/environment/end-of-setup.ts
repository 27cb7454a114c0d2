/** Of a JVM or of Node.js: where a program was says nothing to whoever set it up, and thirty of them hide what went wrong. */
const FRAME = /^\s{1,20}(?:at \S.{0,500}|\.{3} \d{1,5} (?:more|common frames omitted))$/

const MOST_LINES = 15

/** The end of what `setup` printed, as far as it says why it failed. */
export const endOfSetupOutput = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => !FRAME.test(line))
    .slice(-MOST_LINES)
    .join('\n')

/** For one that fails without a word: its exit code alone says nothing. */
export const SILENT_SETUP =
  'It printed nothing. To see which of its commands fails, put `set -x; ` before it, so that the shell prints each one.'
