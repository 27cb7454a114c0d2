/** A stack frame of a JVM or of Node.js: it tells a project's owner nothing, and thirty of them hide the error. */
const FRAME = /^\s{1,20}(?:at \S.{0,500}|\.{3} \d{1,5} (?:more|common frames omitted))$/

const MOST_LINES = 15

/** The end of the output of `setup`, without stack frames. */
export const endOfSetupOutput = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => !FRAME.test(line))
    .slice(-MOST_LINES)
    .join('\n')

/** For a setup that fails without output: its exit code alone explains nothing. */
export const SILENT_SETUP =
  'It printed nothing. To see which of its commands fails, put `set -x; ` before it, so that the shell prints each one.'
