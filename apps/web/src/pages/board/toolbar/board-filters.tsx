import { Check, ChevronDown, X } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import css from './board-filters.module.css'
import type { BoardSearch } from './board-search.ts'
import { filterOfSearch, withFacet, withoutFilter } from './board-search.ts'
import { marks } from '../../../components/bead/states.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { choicesIn, facets, isFiltered, NOBODY } from '../../../feed/board-filter.ts'
import type { Facet } from '../../../feed/board-filter.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { parseLane } from '../../../feed/board-card.ts'
import type { BoardCard } from '../../../feed/board-card.ts'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/hostile-text.ts'
import { useKeys } from '../../../ui/keys.ts'
import { countText } from '../../../ui/count-text.ts'

const words: Record<Facet, string> = {
  state: 'State',
  label: 'Label',
  type: 'Type',
  priority: 'Priority',
  assignee: 'Assignee',
  epic: 'Epic',
}
const none: Partial<Record<Facet, string>> = { label: 'no label', assignee: 'nobody', epic: 'no epic' }

/** More than anybody reads; words find the rest. */
const MOST_CHOICES = 200

type Props = {
  search: BoardSearch
  /** The cards as they are when a menu is open; asked for, so that a moving board does not draw its tools again. */
  cards: () => readonly BoardCard[]
  onSearch: (next: BoardSearch) => void
}

/** One menu for each facet; what is chosen is shown on its button, with a way to remove it. */
export function BoardFilters({ search, used, cards, onSearch }: Props & { used: readonly Facet[] }) {
  const [open, setOpen] = useState<Facet | null>(null)
  const filter = filterOfSearch(search)
  useKeys('Filters', [
    { keys: ['f s'], does: 'Filter by state', run: () => setOpen('state') },
    { keys: ['f l'], does: 'Filter by label', run: () => setOpen('label') },
    { keys: ['f c'], does: 'Clear all filters', run: () => onSearch(withoutFilter(search)) },
  ])
  const there = facets.filter((facet) => filter.on[facet].length > 0 || used.includes(facet))
  return (
    <div className={css['filters']} role="group" aria-label="Filters">
      {there.map((facet) => {
        const on = filter.on[facet]
        const text = on.map((value) => nameOf(facet, value)).join(', ')
        return (
          <span key={facet} className={on.length > 0 ? `${css['facet']} ${css['on']}` : css['facet']}>
            <DropdownMenu.Root modal={false} open={open === facet} onOpenChange={(yes) => setOpen(yes ? facet : null)}>
              <DropdownMenu.Trigger asChild>
                <button type="button" className={css['trigger']} title={shown(text)}>
                  <span className={css['name']}>{words[facet]}</span>
                  {on.length > 0 && <span className={css['values']}>{shown(text)}</span>}
                  <ChevronDown size={14} strokeWidth={1.5} aria-hidden />
                </button>
              </DropdownMenu.Trigger>
              <DropdownMenu.Portal>
                <DropdownMenu.Content
                  className={css['menu']}
                  align="start"
                  sideOffset={4}
                  collisionPadding={8}
                  aria-label={`Filter by ${words[facet].toLowerCase()}`}
                >
                  <Choices facet={facet} search={search} cards={cards} onSearch={onSearch} />
                </DropdownMenu.Content>
              </DropdownMenu.Portal>
            </DropdownMenu.Root>
            {on.length > 0 && (
              <button
                type="button"
                className={css['off']}
                aria-label={`Any ${words[facet].toLowerCase()}`}
                onClick={() => onSearch(withFacet(search, facet, []))}
              >
                <X size={14} strokeWidth={1.5} aria-hidden />
              </button>
            )}
          </span>
        )
      })}
      {isFiltered(filter) && (
        <Button look="quiet" onClick={() => onSearch(withoutFilter(search))}>
          Clear all
        </Button>
      )}
    </div>
  )
}

function Choices({ facet, search, cards, onSearch }: Props & { facet: Facet }) {
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
              {lane ? <StateMark mark={marks[lane]} /> : shown(nameOf(facet, value))}
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

function nameOf(facet: Facet, value: string): string {
  if (facet === 'priority') return `P${value}`
  const lane = facet === 'state' ? parseLane(value) : undefined
  return lane ? marks[lane].word : value === NOBODY ? (none[facet] ?? value) : value
}
