const MOST_PATH = 300

/** A path that an agent chose, short enough for a sentence: its end tells the most. */
export const endOfPath = (path: string): string =>
  path.length > MOST_PATH ? `…${path.slice(-MOST_PATH).toWellFormed()}` : path
