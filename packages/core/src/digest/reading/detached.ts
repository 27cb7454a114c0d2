/**
 * The same text in memory of its own. A slice of a string keeps the whole string alive, so a kept line would hold on to
 * its whole piece of output.
 */
export const detached = (text: string): string => ` ${text}`.slice(1)
