const LONGEST_NAME = 200

/** A name that a repository chose, on one line and shortened. */
export const shortName = (path: string): string => path.replace(/\p{Cc}/gu, '?').slice(-LONGEST_NAME)
export const quoted = (titles: readonly string[]): string => {
  const [first = '', ...more] = titles
  const name = `the test "${first.replace(/[\p{Cc}"]/gu, '?').slice(0, 80)}"`
  return more.length > 0 ? `${name} and ${more.length} more` : name
}

/** A line of a repository, quoted. */
export const quotedLine = (line: string): string =>
  line
    .replace(/\p{Cc}/gu, '?')
    .slice(0, 60)
    .toWellFormed()
