/**
 * The same text in memory of its own. A slice of a string keeps the whole string alive, so a line that is kept would
 * hold on to the piece of output that it came in.
 */
export const detached = (text: string): string => ` ${text}`.slice(1)
