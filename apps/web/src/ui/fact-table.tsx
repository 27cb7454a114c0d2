import type { ReactNode } from 'react'
import css from './fact-table.module.css'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  /** Text shown on hover. */
  hint?: (row: Row) => string | undefined
  /** Aligns digits below digits. */
  number?: true
  /** A sentence: may take several lines, and a whole line of a card. */
  text?: true
}

type Props<Row> = {
  /** The table's name for screen readers: a text, or the id of the heading that says it. */
  label: { text: string } | { by: string }
  /** Shown above the table; without it, the label is for screen readers only. */
  caption?: ReactNode
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** The key of a row; rows without a name of their own use their place. */
  keyOf: (row: Row, at: number) => string
  /** The last row, with the sums of all others. */
  sum?: Row | undefined
}

/**
 * Facts in rows and columns. If there is no room for the columns, each row is a card: its name, and below it each
 * column's title and value. The roles are explicit because CSS that undoes the table layout removes them in some
 * browsers.
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
