import css from './board-columns.module.css'
import type { ColumnDrop } from './board-column.tsx'
import type { ShownColumn } from './held-columns.ts'
import { columnPlace } from '../moves/use-card-drag.ts'
import { marks } from '../../../components/bead/states.ts'
import tones from '../../../components/bead/tones.module.css'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

type Props = {
  columns: readonly ShownColumn[]
  lanes: Record<Lane, BoardCard[]>
  chosen: string
  onChoose: (column: string) => void
  dropOf: (column: string) => ColumnDrop
}

/** For a narrow screen: tabs to switch between columns. */
export function ColumnTabs({ columns, lanes, chosen, onChoose, dropOf }: Props) {
  if (columns.some(({ lane }) => lane === null))
    return (
      <label className={css['choose']}>
        <span className="visually-hidden">Column</span>
        <select value={chosen} onChange={(event) => onChoose(event.target.value)}>
          {columns.map(({ key, name, cards }) => (
            <option key={key} value={key}>
              {shown(name)} ({countText(cards.length)})
            </option>
          ))}
        </select>
      </label>
    )
  return (
    <nav className={css['tabs']} aria-label="States">
      {columns.map(({ key, lane }) => {
        if (lane === null) return null
        const { icon: Icon, tone, word } = marks[lane]
        const drop = dropOf(key)
        return (
          <button
            key={key}
            type="button"
            aria-pressed={key === chosen}
            onClick={() => onChoose(key)}
            className={drop === null ? css['tab'] : `${css['tab']} ${css[drop]}`}
            data-drop={columnPlace(key)}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden className={`${css['glyph']} ${tones[tone]}`} />
            <span className={key === chosen ? undefined : 'visually-hidden'}>{word}</span>
            <span className={css['number']}>{lanes[lane].length}</span>
          </button>
        )
      })}
    </nav>
  )
}
