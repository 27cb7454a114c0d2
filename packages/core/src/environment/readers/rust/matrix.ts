import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'

const MOST_ROWS = 60
const LONGEST = 300
const EXPRESSION = /\$\{\{\s{0,10}matrix\.([\w-]{1,60}(?:\.[\w-]{1,60})?)\s{0,10}\}\}/g

/**
 * The lines that a job runs for the literal values of its matrix; rows for the nightly compiler are left out. A line
 * with any other expression stays as it is.
 */
export function withMatrix(line: string, matrix: Fields): string[] {
  const paths = [...new Set([...line.slice(0, 2000).matchAll(EXPRESSION)].map(([, path = '']) => path))]
  if (paths.length === 0) return [line]
  const rows = rowsOf(matrix, [...new Set(paths.map((path) => path.split('.', 1)[0] ?? ''))])
  const lines = rows.map((row) => line.replace(EXPRESSION, (all, path: string) => valueAt(row, path.split('.')) ?? all))
  return lines.length === 0 ? [line] : [...new Set(lines)]
}

/** The rows that the listed values of these keys make together, and those that are added to them. */
function rowsOf(matrix: Fields, keys: readonly string[]): Fields[] {
  let rows: Fields[] = [{}]
  for (const key of keys) {
    const values = Array.isArray(matrix[key]) ? listOf(matrix[key]).slice(0, MOST_ROWS) : []
    if (values.length > 0)
      rows = rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))).slice(0, MOST_ROWS)
  }
  const added = listOf(matrix['include'])
    .slice(0, MOST_ROWS)
    .map(fieldsOf)
    .filter((row) => keys.some((key) => Object.hasOwn(row, key)))
    .map((row) => ({ ...Object.fromEntries(keys.map((key) => [key, ''])), ...row }))
  const listed = rows.filter((row) => Object.keys(row).length === keys.length)
  return [...listed, ...added].filter((row) => !JSON.stringify(row).includes('nightly'))
}

function valueAt(row: Fields, [key = '', inner]: readonly string[]): string | null {
  const value = inner === undefined ? row[key] : (fieldsOf(row[key])[inner] ?? '')
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const text = isPlain || value === '' || value === null ? String(value ?? '') : textOf(value)
  return text === null || text.length > LONGEST || text.includes('\n') ? null : text
}
