import { wrapText } from './terminal-text.ts'

/** Wraps a line; its continuation is indented below it. */
export function hanging(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const below = `${indent}  `
  return wrapText(line.trim(), Math.max(LEAST_COLUMNS, columns - below.length)).map(
    (part, at) => `${at === 0 ? indent : below}${part}`,
  )
}

const LEAST_COLUMNS = 20
