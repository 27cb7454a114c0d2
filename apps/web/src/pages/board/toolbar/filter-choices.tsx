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

/** More than anybody reads; words find the rest. */
const MOST_CHOICES = 200

export type FilterProps = {
  search: BoardSearch
  /** The cards as they are when a menu is open; asked for, so that a moving board does not draw its tools again. */
  cards: () => readonly BoardCard[]
  onSearch: (next: BoardSearch) => void
}

/** The values of one facet as a menu's items, each with how many beads it would leave. */
export function FilterChoices({ facet, search, cards, onSearch }: FilterProps & { facet: Facet }) {
  const filter = filterOfSearch(search)
  const on = filter.on[facet]
  useServerNow() // the numbers are counted again every second
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
