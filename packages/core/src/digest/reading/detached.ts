/**
 * The same text in memory of its own. A part of a string keeps the whole alive, so that a line which is kept for long
 * would keep the piece of output that it came in.
 */
export const detached = (text: string): string => ` ${text}`.slice(1)
