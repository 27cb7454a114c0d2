/*
 * The lines of a notebook: each follows from the start's name and its number, so that every byte that arrives anywhere
 * can be compared. Odd ones go to standard output, even ones to standard error.
 */

export type Stream = 'out' | 'err'

export const streamOf = (number: number): Stream => (number % 2 === 1 ? 'out' : 'err')

/** `start`: eight hexadecimal digits. Ends with a newline. */
export function lineOf(start: string, number: number): string {
  const words = Array.from({ length: 3 + ((number * 7) % 17) }, (_, at) => (number * 31 + at * 17).toString(36))
  return `${String(number).padStart(8, '0')} ${start} ${words.join(number % 5 === 0 ? ' € ' : ' ')}\n`
}

/** Null for any other line. */
export function readLine(line: string): { number: number; start: string } | null {
  const found = /^(\d{8}) ([0-9a-f]{8}) /.exec(line)
  return found ? { number: Number(found[1]), start: found[2]! } : null
}
