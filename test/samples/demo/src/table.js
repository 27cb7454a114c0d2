/**
 * Tables of plain text.
 */

import { pad } from './pad.js'
import { truncate } from './truncate.js'

const gap = '  '

/**
 * Prints `rows`, lists of cells, in columns; the first row is the heading.
 * `maxWidth` is the largest width of a cell.
 */
export function renderTable(rows, { maxWidth = 40 } = {}) {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => row.map((cell) => truncate(String(cell), maxWidth)))
  const widths = columnWidths(cells)
  const lines = cells.map((row) => row.map((cell, column) => pad(cell, widths[column])).join(gap).trimEnd())
  const rule = widths.map((width) => '-'.repeat(width)).join(gap)
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function columnWidths(rows) {
  const widths = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return widths
}
