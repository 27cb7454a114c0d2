import { Bookmark, Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Suspense, useState } from 'react'
import css from './views-menu.module.css'
import { searchOf, viewOf } from './view-search.ts'
import menu from '../toolbar/board-filters.module.css'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { useSavedViews } from '../../../components/saved-views/use-saved-views.ts'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useKeys } from '../../../ui/keys/keys.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { MenuLayer } from '../../../ui/menu.tsx'

const { Part: SaveDialog } = lazyPart(async () => (await import('./save-view-dialog.tsx')).SaveViewDialog)
const { Part: ManageDialog } = lazyPart(async () => (await import('./manage-views-dialog.tsx')).ManageViewsDialog)

type Props = { project: string; search: BoardSearch; onSearch: (next: BoardSearch) => void }

/** A menu of named views: opens, saves and manages them. */
export function ViewsMenu({ project, search, onSearch }: Props) {
  const { views, again } = useSavedViews(project)
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState<'save' | 'manage' | null>(null)
  const current = viewOf(views, search)
  const show = (yes: boolean) => {
    if (yes) again()
    setOpen(yes)
  }
  useKeys('Views', [{ keys: ['f v'], does: 'Saved views', run: () => show(true) }])
  const choose = (next: BoardSearch) => onSearch({ ...next, lane: search.lane })
  return (
    <>
      <DropdownMenu.Root modal={false} open={open} onOpenChange={show}>
        <DropdownMenu.Trigger asChild>
          <Button
            look="quiet"
            className={menu['trigger']}
            icon={<Bookmark size={16} strokeWidth={1.5} aria-hidden fill={current ? 'currentColor' : 'none'} />}
            aria-label={current ? `View: ${shown(current.name)}` : 'Views'}
          >
            <span className={css['name']}>{current ? shown(current.name) : 'Views'}</span>
          </Button>
        </DropdownMenu.Trigger>
        <MenuLayer label="Views">
          <DropdownMenu.Content className={menu['menu']} align="start" sideOffset={4} collisionPadding={8}>
            <Item isOn={current === null && isPlain(search)} onSelect={() => choose({})}>
              All beads
            </Item>
            {views.map((view) => (
              <Item key={view.id} isOn={view.id === current?.id} onSelect={() => choose(searchOf(view.search))}>
                <span className={menu['choice']}>{shown(view.name)}</span>
                <span className={menu['number']}>
                  {[view.forAll && 'all projects', view.isDefault && 'default'].filter(Boolean).join(', ')}
                </span>
              </Item>
            ))}
            <DropdownMenu.Separator className={menu['line']} />
            <Item onSelect={() => setAsking('save')}>Save this view …</Item>
            {views.length > 0 && <Item onSelect={() => setAsking('manage')}>Edit views …</Item>}
          </DropdownMenu.Content>
        </MenuLayer>
      </DropdownMenu.Root>
      <Suspense fallback={null}>
        {asking === 'save' && (
          <SaveDialog project={project} search={search} current={current} onClose={() => setAsking(null)} />
        )}
        {asking === 'manage' && <ManageDialog project={project} search={search} onClose={() => setAsking(null)} />}
      </Suspense>
    </>
  )
}

const isPlain = (search: BoardSearch): boolean => viewOf([plain], search) !== null
const plain = { id: 0, name: '', search: '', isDefault: false, forAll: true }

type ItemProps = { isOn?: boolean; onSelect: () => void; children: React.ReactNode }

const Item = ({ isOn = false, onSelect, children }: ItemProps) => (
  <DropdownMenu.Item className={menu['item']} onSelect={onSelect} aria-current={isOn || undefined}>
    <span className={menu['tick']}>{isOn && <Check size={14} strokeWidth={2} aria-hidden />}</span>
    {children}
  </DropdownMenu.Item>
)
