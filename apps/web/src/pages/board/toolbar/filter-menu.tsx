import { ChevronLeft, ChevronRight, ListFilter } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import css from './board-filters.module.css'
import { filterOfSearch, withoutFilter } from '@beadloom/core/board/board-search.ts'
import { facetValueText, facetWords } from './facet-words.ts'
import { FilterChoices } from './filter-choices.tsx'
import type { FilterProps } from './filter-choices.tsx'
import { facets, isFiltered } from '@beadloom/core/board/board-filter.ts'
import type { Facet } from '@beadloom/core/board/board-filter.ts'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useKeys } from '../../../ui/keys/keys.ts'
import { MenuLayer } from '../../../ui/menu.tsx'

/** One menu for all facets: first the facet, then its values. Chosen values are shown below the toolbar. */
export function FilterMenu({ search, used, cards, onSearch }: FilterProps & { used: readonly Facet[] }) {
  const [open, setOpen] = useState(false)
  const [facet, setFacet] = useState<Facet | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const filter = filterOfSearch(search)
  const openAt = (at: Facet | null) => {
    setFacet(at)
    setOpen(true)
  }
  useKeys('Filters', [
    { keys: ['f f'], does: 'Filter', run: () => openAt(null) },
    { keys: ['f s'], does: 'Filter by state', run: () => openAt('state') },
    { keys: ['f l'], does: 'Filter by label', run: () => openAt('label') },
    { keys: ['f c'], does: 'Clear all filters', run: () => onSearch(withoutFilter(search)) },
  ])
  // The focused item is gone with its list.
  useLayoutEffect(() => {
    if (open) content.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus({ preventScroll: true })
  }, [open, facet])
  const there = facets.filter((one) => filter.on[one].length > 0 || used.includes(one))
  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={(yes) => (yes ? openAt(null) : setOpen(false))}>
      <DropdownMenu.Trigger asChild>
        <Button
          look="quiet"
          className={css['trigger']}
          icon={<ListFilter size={16} strokeWidth={1.5} aria-hidden />}
          aria-label="Filter"
        >
          <span>Filter</span>
        </Button>
      </DropdownMenu.Trigger>
      <MenuLayer label="Filters">
        <DropdownMenu.Content
          ref={content}
          className={css['menu']}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={undefined} // the trigger's name says less
          aria-label={facet === null ? 'Filter' : `Filter by ${facetWords[facet].toLowerCase()}`}
          onKeyDown={(event) => {
            if (facet !== null && (event.key === 'ArrowLeft' || event.key === 'Backspace')) setFacet(null)
          }}
        >
          {facet !== null && (
            <>
              <Item onSelect={() => setFacet(null)}>
                <ChevronLeft size={14} strokeWidth={1.5} aria-label="Back" />
                <span className={css['heading']}>{facetWords[facet]}</span>
              </Item>
              <FilterChoices facet={facet} search={search} cards={cards} onSearch={onSearch} />
            </>
          )}
          {facet === null &&
            there.map((one) => (
              <Item key={one} onSelect={() => setFacet(one)} onRight={() => setFacet(one)}>
                <span className={css['choice']}>{facetWords[one]}</span>
                <span className={css['values']}>
                  {shown(filter.on[one].map((value) => facetValueText(one, value)).join(', '))}
                </span>
                <ChevronRight size={14} strokeWidth={1.5} aria-hidden />
              </Item>
            ))}
          {facet === null && isFiltered(filter) && (
            <DropdownMenu.Item className={css['item']} onSelect={() => onSearch(withoutFilter(search))}>
              Clear all filters
            </DropdownMenu.Item>
          )}
          {facet === null && there.length === 0 && <p className={css['more']}>Nothing to choose from.</p>}
        </DropdownMenu.Content>
      </MenuLayer>
    </DropdownMenu.Root>
  )
}

type ItemProps = { onSelect: () => void; onRight?: () => void; children: ReactNode }

/** Opens another list in the same menu, which stays open. */
const Item = ({ onSelect, onRight, children }: ItemProps) => (
  <DropdownMenu.Item
    className={css['item']}
    onSelect={(event) => {
      event.preventDefault()
      onSelect()
    }}
    onKeyDown={(event) => {
      if (event.key === 'ArrowRight') onRight?.()
    }}
  >
    {children}
  </DropdownMenu.Item>
)
