import { Flag, Play } from 'lucide-react'
import css from './drag-layer.module.css'
import { moveWord } from './moves.ts'
import { shelfPlaces, type CardDrag } from './use-card-drag.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/**
 * The drawing that follows the pointer during a drag, and places that the board may not show: below it there is always
 * one for running and one for each priority. Keys do the same, so screen readers need none of it.
 */
export function DragLayer({ drag: { held, offer } }: { drag: CardDrag }) {
  if (held === null) return null
  const { items, over } = held
  const [first] = items
  const now = over === null ? null : offer(over)
  return (
    <div aria-hidden>
      <div className={css['shelf']}>
        {shelfPlaces.map(({ at, move }) => {
          const here = offer(at)
          const looks = [css['place'], (here === null || 'why' in here) && css['refuses'], over === at && css['over']]
          return (
            <div key={at} data-drop={at} className={looks.filter(Boolean).join(' ')}>
              {move.to === 'queue' ? <Play size={16} strokeWidth={1.5} /> : <Flag size={14} strokeWidth={1.5} />}
              <span>{move.to === 'priority' ? `P${move.priority}` : moveWord(move)}</span>
            </div>
          )
        })}
      </div>
      <div className={css['ghost']} data-ghost>
        <div className={css['card']}>
          {items.length === 1 && first ? (
            <>
              <span className={css['id']}>{shown(first.card.id)}</span> {shown(first.card.title)}
            </>
          ) : (
            counted(items.length, 'bead')
          )}
        </div>
        {now !== null && (
          <div className={'why' in now ? `${css['says']} ${css['no']}` : css['says']}>
            {shown('why' in now ? now.why : now.does)}
          </div>
        )}
      </div>
    </div>
  )
}
