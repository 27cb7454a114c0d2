/** Lines without their ends, whichever system wrote them. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/)

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
