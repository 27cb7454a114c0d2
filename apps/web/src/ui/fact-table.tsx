import type { ReactNode } from 'react'
import css from './fact-table.module.css'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  /** What is read where the pointer rests. */
  hint?: (row: Row) => string | undefined
  /** Digits below digits. */
  number?: true
  /** A sentence: it may take several lines, and as a card a whole one. */
  text?: true
}

type Props<Row> = {
  /** What the table has, for screen readers: the name of its part, or the id of the heading that says so. */
  label: { text: string } | { by: string }
  /** Above it; without one it is the label alone. */
  caption?: ReactNode
  /** The first names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** By which a row is known; a row without a name of its own is known by its place. */
  keyOf: (row: Row, at: number) => string
  /** The last one, of all rows together. */
  sum?: Row | undefined
}

/**
 * Facts in rows and columns. Where there is no room for the columns, each row is a card: its name, and below it what the
 * columns say, each with its title. The roles are named because styles that undo the table undo them in some browsers.
 */
export function FactTable<Row>({ label, caption, columns, rows, keyOf, sum }: Props<Row>) {
  const named = 'by' in label ? { 'aria-labelledby': label.by } : { 'aria-label': label.text }
  const line = (row: Row, key: string) => <Line key={key} row={row} columns={columns} />
  return (
    <div className={css['room']}>
      <div className={css['scroll']} tabIndex={0} role="group" {...named}>
        <table role="table" className={css['table']}>
          {caption !== undefined && <caption>{caption}</caption>}
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ title, number }) => (
                <th key={title} scope="col" role="columnheader" className={number && css['number']}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">{rows.map((row, at) => line(row, keyOf(row, at)))}</tbody>
          {sum !== undefined && <tfoot role="rowgroup">{line(sum, 'sum')}</tfoot>}
        </table>
      </div>
    </div>
  )
}

const Line = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) => (
  <tr role="row">
    {columns.map(({ title, cell, hint, number, text }, at) =>
      at === 0 ? (
        <th key={title} scope="row" role="rowheader" title={hint?.(row)}>
          {cell(row)}
        </th>
      ) : (
        <td
          key={title}
          role="cell"
          title={hint?.(row)}
          data-title={title}
          className={[number && css['number'], text && css['text']].filter(Boolean).join(' ') || undefined}
        >
          {cell(row)}
        </td>
      ),
    )}
  </tr>
)
