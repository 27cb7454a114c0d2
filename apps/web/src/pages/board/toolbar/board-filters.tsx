import { ChevronDown, X } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import css from './board-filters.module.css'
import { filterOfSearch, withFacet, withoutFilter } from '@beadloom/core/board/board-search.ts'
import { facetValueText, facetWords } from './facet-words.ts'
import { FilterChoices } from './filter-choices.tsx'
import type { FilterProps } from './filter-choices.tsx'
import { facets } from '@beadloom/core/board/board-filter.ts'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { MenuLayer } from '../../../ui/menu.tsx'

/** The active filters, each with its menu and a button that removes it. Nothing while all beads are shown. */
export function BoardFilters({ search, cards, onSearch }: FilterProps) {
  const filter = filterOfSearch(search)
  const chosen = facets.filter((facet) => filter.on[facet].length > 0)
  if (chosen.length === 0) return null
  return (
    <div className={css['filters']} role="group" aria-label="Filters">
      {chosen.map((facet) => {
        const text = filter.on[facet].map((value) => facetValueText(facet, value)).join(', ')
        const name = facetWords[facet]
        return (
          <span key={facet} className={css['facet']}>
            <DropdownMenu.Root modal={false}>
              <DropdownMenu.Trigger asChild>
                <button type="button" className={css['values-of']} title={shown(text)}>
                  <span className={css['name']}>{name}</span>
                  <span className={css['values']}>{shown(text)}</span>
                  <ChevronDown size={14} strokeWidth={1.5} aria-hidden />
                </button>
              </DropdownMenu.Trigger>
              <MenuLayer label={name}>
                <DropdownMenu.Content className={css['menu']} align="start" sideOffset={4} collisionPadding={8}>
                  <FilterChoices facet={facet} search={search} cards={cards} onSearch={onSearch} />
                </DropdownMenu.Content>
              </MenuLayer>
            </DropdownMenu.Root>
            <button
              type="button"
              className={css['off']}
              aria-label={`Any ${name.toLowerCase()}`}
              onClick={() => onSearch(withFacet(search, facet, []))}
            >
              <X size={14} strokeWidth={1.5} aria-hidden />
            </button>
          </span>
        )
      })}
      <Button look="quiet" onClick={() => onSearch(withoutFilter(search))}>
        Clear all
      </Button>
    </div>
  )
}
