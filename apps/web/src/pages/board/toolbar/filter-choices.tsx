import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import css from './board-filters.module.css'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { filterOfSearch, withFacet } from '@beadloom/core/board/board-search.ts'
import { facetValueText } from './facet-words.ts'
import { marks } from '../../../components/bead/states.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { choicesIn } from '@beadloom/core/board/board-filter.ts'
import type { Facet } from '@beadloom/core/board/board-filter.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { parseLane } from '@beadloom/core/board/board-card.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

/** Nobody reads more; typed words find the rest. */
const MOST_CHOICES = 200

export type FilterProps = {
  search: BoardSearch
  /** The cards at the time when a menu opens: a function, so that a moving board does not render its tools. */
  cards: () => readonly BoardCard[]
  onSearch: (next: BoardSearch) => void
}

/** The values of one facet as menu items, each with the number of beads that it would leave. */
export function FilterChoices({ facet, search, cards, onSearch }: FilterProps & { facet: Facet }) {
  const filter = filterOfSearch(search)
  const on = filter.on[facet]
  useServerNow() // counts again every second
  const choices = choicesIn(cards(), filter, facet)
  return (
    <>
      {choices.slice(0, MOST_CHOICES).map(({ value, count }) => {
        const lane = facet === 'state' ? parseLane(value) : undefined
        return (
          <DropdownMenu.CheckboxItem
            key={value}
            className={css['item']}
            checked={on.includes(value)}
            onSelect={(event) => event.preventDefault()} // stays open: more than one can be chosen
            onCheckedChange={(yes) =>
              onSearch(withFacet(search, facet, yes ? [...on, value] : on.filter((one) => one !== value)))
            }
          >
            <span className={css['tick']}>
              <DropdownMenu.ItemIndicator>
                <Check size={14} strokeWidth={2} aria-hidden />
              </DropdownMenu.ItemIndicator>
            </span>
            <span className={css['choice']}>
              {lane ? <StateMark mark={marks[lane]} /> : shown(facetValueText(facet, value))}
            </span>
            <span className={css['number']}>{countText(count)}</span>
          </DropdownMenu.CheckboxItem>
        )
      })}
      {choices.length === 0 && <p className={css['more']}>Nothing to choose from.</p>}
      {choices.length > MOST_CHOICES && (
        <p className={css['more']}>{countText(choices.length - MOST_CHOICES)} more: find them by words.</p>
      )}
    </>
  )
}
