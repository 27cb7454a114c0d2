import { ArrowDown, ArrowUp } from 'lucide-react'
import css from './board-list.module.css'
import { listColumns, type ListColumn } from './list-columns.ts'
import { nextSort, sortText, type ListSort } from '@beadloom/core/board/card-sort.ts'

type Props = { sort: ListSort | null; onSort: (sort: string | undefined) => void }

/** The heads of the columns; a click sorts by one. */
export const ListHeads = (props: Props) => (
  <div role="rowgroup" className={css['heads']}>
    <div role="row" aria-rowindex={1} className={css['row']}>
      <span role="columnheader" className={css['cell']}>
        <span className="visually-hidden">Selected</span>
      </span>
      {listColumns.map((column) => (
        <Head key={column.by} column={column} {...props} />
      ))}
      <span role="columnheader" className={css['cell']}>
        <span className="visually-hidden">Run or cancel</span>
      </span>
    </div>
  </div>
)

function Head({ column: { by, word, number, from }, sort, onSort }: Props & { column: ListColumn }) {
  const on = sort?.by === by ? sort : null
  return (
    <span
      role="columnheader"
      aria-sort={on === null ? 'none' : on.down ? 'descending' : 'ascending'}
      className={[css['cell'], number && css['number'], by === 'review' && css['review'], from && css[from]]
        .filter(Boolean)
        .join(' ')}
    >
      <button
        type="button"
        className={css['sort']}
        onClick={() => {
          const next = nextSort(sort, by)
          onSort(next === null ? undefined : sortText(next))
        }}
      >
        {word}
        {on !== null &&
          (on.down ? (
            <ArrowDown size={14} strokeWidth={1.5} aria-hidden />
          ) : (
            <ArrowUp size={14} strokeWidth={1.5} aria-hidden />
          ))}
      </button>
    </span>
  )
}
