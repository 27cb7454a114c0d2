import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { Plus, Search, X } from 'lucide-react'
import { memo, useRef } from 'react'
import { useStore } from 'zustand'
import { BoardFilters } from './board-filters.tsx'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { demoIntroduced } from '../demo-introduced.ts'
import { DisplayMenu } from './display-menu.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { ProjectControls } from './project-controls.tsx'
import css from './board-toolbar.module.css'
import { ViewsMenu } from '../views/views-menu.tsx'
import { WorkBranchActions } from '../../../components/review/pull-request/work-branch-actions.tsx'
import type { Facet } from '@beadloom/core/board/board-filter.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import { isDemo } from '../../../feed/demo.ts'
import { useRefusal } from '../../../ui/allowed.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { useKeys } from '../../../ui/keys/keys.ts'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { modelNoteOf } from '../../../components/bead/run/agent-words.ts'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = {
  project: string
  view: ProjectView | null
  search: BoardSearch
  /** The project's number of beads, without any filter. */
  total: number
  /** Facets that can narrow them down. */
  used: readonly Facet[]
  cards: () => readonly BoardCard[]
  shown: number
  /** Whether `shown` leaves any out: the cards may lag behind typing. */
  filtered: boolean
  /** Queued beads that would run if there were more slots. */
  waiting: number
  onSearch: (next: BoardSearch) => void
  onNew: () => void
}

export const BoardToolbar = memo(function BoardToolbar(props: Props) {
  const mayRun = useRefusal('runner') === null
  const { project, view, search, total, used, cards, shown, filtered, waiting, onSearch, onNew } = props
  const { q: filter = '' } = search
  const onFilter = (text: string) => onSearch({ ...search, q: text === '' ? undefined : text })
  const isList = search.view === 'list'
  const input = useRef<HTMLInputElement>(null)
  useKeys('Filter', [
    { keys: ['/'], does: 'Filter beads', run: () => input.current?.focus() },
    ...(mayRun ? [{ keys: ['n'], does: 'New bead', run: onNew }] : []),
    { keys: ['v'], does: 'Board or list', run: () => onSearch({ ...search, view: isList ? undefined : 'list' }) },
  ])
  return (
    <>
      <div className={css['bar']} role="toolbar" aria-label="Board">
        <div className={css['filter']} role="search">
          <Search size={16} strokeWidth={1.5} aria-hidden />
          <input
            ref={input}
            value={filter}
            onChange={(event) => onFilter(event.target.value)}
            onKeyDown={(event) => {
              if (typedKey(event) !== 'Escape') return
              onFilter('')
              event.currentTarget.blur()
            }}
            placeholder="Filter beads"
            aria-label="Filter beads by id, title, label, type or priority"
            spellCheck={false}
          />
          {filter !== '' && (
            <IconButton label="Clear the filter" onClick={() => onFilter('')}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          )}
        </div>
        {total > 0 && (
          <div className={css['menus']}>
            <ViewsMenu project={project} search={search} onSearch={onSearch} />
            <FilterMenu search={search} used={used} cards={cards} onSearch={onSearch} />
            <DisplayMenu search={search} onSearch={onSearch} />
          </div>
        )}
        <span className={css['count']} role="status">
          <span>{filtered ? `${countText(shown)} of ${countText(total)}` : counted(total, 'bead')}</span>
          {waiting > 0 && <span className={css['waiting']}>{countText(waiting)} waiting for a slot</span>}
        </span>
        <Button
          needs="runner"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
          className={css['new']}
          aria-label="New bead"
          onClick={onNew}
        >
          <span>New bead</span>
        </Button>
        {view && (
          <div className={css['rest']}>
            {view.modelNote && <ModelNote view={view} />}
            <ProjectControls project={project} view={view} />
            <WorkBranchActions project={view} />
          </div>
        )}
      </div>
      {total > 0 && <BoardFilters search={search} cards={cards} onSearch={onSearch} />}
    </>
  )
})

/** On a phone, the demo's note says only that no AI is at work. Nothing while its banner says so. */
function ModelNote({ view }: { view: ProjectView }) {
  const introduced = useStore(demoIntroduced, ({ yes }) => yes)
  if (isDemo(view) && !introduced) return null
  const [before, after] = (modelNoteOf(view) ?? '').split('recorded run, ')
  return (
    <span className={css['model']}>
      {before}
      {after !== undefined && <span className={css['more']}>recorded run, </span>}
      {after}
    </span>
  )
}
