import { Check, Columns3, List, SlidersHorizontal } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './board-filters.module.css'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { setDensity, useDensity } from '../density.ts'
import { groupings } from '@beadloom/core/board/board-groups.ts'
import type { Grouping } from '@beadloom/core/board/board-groups.ts'
import { Button } from '../../../ui/button.tsx'
import { MenuLayer } from '../../../ui/menu.tsx'

const words: Record<Grouping, string> = {
  state: 'State',
  priority: 'Priority',
  epic: 'Epic',
  label: 'Label',
  assignee: 'Assignee or agent',
}

type Props = { search: BoardSearch; onSearch: (next: BoardSearch) => void }

/** The board's layout: columns or list, grouping, density. */
export function DisplayMenu({ search, onSearch }: Props) {
  const density = useDensity()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button
          look="quiet"
          className={css['trigger']}
          icon={<SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />}
          aria-label="Display"
        >
          <span>Display</span>
        </Button>
      </DropdownMenu.Trigger>
      <MenuLayer label="Display">
        <DropdownMenu.Content className={css['menu']} align="start" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.RadioGroup
            aria-label="Layout"
            value={search.view ?? 'columns'}
            onValueChange={(view) => onSearch({ ...search, view: view === 'list' ? 'list' : undefined })}
          >
            <Radio value="columns">
              <Columns3 size={14} strokeWidth={1.5} aria-hidden />
              Columns
            </Radio>
            <Radio value="list">
              <List size={14} strokeWidth={1.5} aria-hidden />
              List
            </Radio>
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className={css['line']} />
          <DropdownMenu.Label className={css['label']}>Group by</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            aria-label="Group by"
            value={search.group ?? 'state'}
            onValueChange={(value) => {
              const by = groupings.find((one) => one === value)
              onSearch({ ...search, lane: undefined, group: by === 'state' ? undefined : by })
            }}
          >
            {groupings.map((by) => (
              <Radio key={by} value={by}>
                {words[by]}
              </Radio>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className={css['line']} />
          <DropdownMenu.CheckboxItem
            className={css['item']}
            title="Smaller cards and rows"
            checked={density === 'compact'}
            onCheckedChange={(yes) => setDensity(yes ? 'compact' : 'roomy')}
            onSelect={(event) => event.preventDefault()} // the beads are seen behind the menu
          >
            <Tick />
            Compact
          </DropdownMenu.CheckboxItem>
        </DropdownMenu.Content>
      </MenuLayer>
    </DropdownMenu.Root>
  )
}

const Radio = ({ value, children }: { value: string; children: ReactNode }) => (
  <DropdownMenu.RadioItem className={css['item']} value={value} onSelect={(event) => event.preventDefault()}>
    <Tick />
    {children}
  </DropdownMenu.RadioItem>
)

const Tick = () => (
  <span className={css['tick']}>
    <DropdownMenu.ItemIndicator>
      <Check size={14} strokeWidth={2} aria-hidden />
    </DropdownMenu.ItemIndicator>
  </span>
)
