import { Columns3, List, Rows4 } from 'lucide-react'
import css from './board-toolbar.module.css'
import type { BoardSearch } from './board-search.ts'
import { setDensity, useDensity } from '../density.ts'
import { groupings } from '../../../feed/board-groups.ts'
import type { Grouping } from '../../../feed/board-groups.ts'

const words: Record<Grouping, string> = { state: 'State', epic: 'Epic', label: 'Label', assignee: 'Assignee or agent' }

type Props = { search: BoardSearch; onSearch: (next: BoardSearch) => void }

/** How the beads are laid out: by what, in columns or as a list, and how close. */
export function BoardLooks({ search, onSearch }: Props) {
  const density = useDensity()
  const isList = search.view === 'list'
  const isCompact = density === 'compact'
  return (
    <div className={css['looks']}>
      <label className={css['group']}>
        Group by
        <select
          value={search.group ?? 'state'}
          onChange={(event) => {
            const by = groupings.find((one) => one === event.target.value)
            onSearch({ ...search, lane: undefined, group: by === 'state' ? undefined : by })
          }}
        >
          {groupings.map((by) => (
            <option key={by} value={by}>
              {words[by]}
            </option>
          ))}
        </select>
      </label>
      <div className={css['views']} role="group" aria-label="View">
        <button
          type="button"
          aria-pressed={isCompact}
          title="Smaller cards and rows"
          onClick={() => setDensity(isCompact ? 'roomy' : 'compact')}
        >
          <Rows4 size={14} strokeWidth={1.5} aria-hidden />
          Compact
        </button>
        <button type="button" aria-pressed={!isList} onClick={() => onSearch({ ...search, view: undefined })}>
          <Columns3 size={14} strokeWidth={1.5} aria-hidden />
          Columns
        </button>
        <button type="button" aria-pressed={isList} onClick={() => onSearch({ ...search, view: 'list' })}>
          <List size={14} strokeWidth={1.5} aria-hidden />
          List
        </button>
      </div>
    </div>
  )
}
