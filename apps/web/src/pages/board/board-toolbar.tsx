import type { ProjectView } from '@beadloom/core/api.ts'
import { Columns3, List, Pause, Play, Plus, RefreshCw, Search, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { BoardFilters } from './board-filters.tsx'
import type { BoardSearch } from './board-search.ts'
import { filterOfSearch } from './board-search.ts'
import { NewBeadDialog } from './new-bead-dialog.tsx'
import css from './board-toolbar.module.css'
import { pauseProject, resumeProject, setAutopilot, syncProject } from '../../api/endpoints.ts'
import { WorkBranchActions } from '../../components/review/work-branch-actions.tsx'
import { isFiltered } from '../../feed/board-filter.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import type { BoardCard } from '../../feed/lanes.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { sinceText, countText } from '../../ui/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Props = {
  project: string
  view: ProjectView | null
  search: BoardSearch
  /** All of the project's, whatever is filtered. */
  cards: readonly BoardCard[]
  shown: number
  onSearch: (next: BoardSearch) => void
}

export function BoardToolbar({ project, view, search, cards, shown, onSearch }: Props) {
  const { q: filter = '' } = search
  const onFilter = (text: string) => onSearch({ ...search, q: text === '' ? undefined : text })
  const isList = search.view === 'list'
  const input = useRef<HTMLInputElement>(null)
  const [adding, setAdding] = useState(false)
  useKeys('Filter', [
    { keys: ['/'], does: 'Filter the board', run: () => input.current?.focus() },
    { keys: ['n'], does: 'New bead', run: () => setAdding(true) },
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
              if (event.key !== 'Escape') return
              onFilter('')
              event.currentTarget.blur()
            }}
            placeholder="Filter"
            aria-label="Filter by words of id, title, label, type or priority"
            spellCheck={false}
          />
          {filter !== '' && (
            <IconButton label="Clear the filter" onClick={() => onFilter('')}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          )}
        </div>
        <span className={css['count']} role="status">
          {isFiltered(filterOfSearch(search))
            ? `${countText(shown)} of ${countText(cards.length)}`
            : `${countText(cards.length)} ${cards.length === 1 ? 'bead' : 'beads'}`}
        </span>
        {view?.modelNote && (
          <span className={css['model']}>
            {view.model}: {view.modelNote}
          </span>
        )}
        {view && <ProjectControls project={project} view={view} />}
        {view && <WorkBranchActions project={view} />}
        <Button icon={<Plus size={16} strokeWidth={1.5} aria-hidden />} onClick={() => setAdding(true)}>
          New bead
        </Button>
        {adding && <NewBeadDialog project={project} onClose={() => setAdding(false)} />}
      </div>
      {cards.length > 0 && (
        <div className={css['second']}>
          <BoardFilters search={search} cards={cards} onSearch={onSearch} />
          <ViewSwitch isList={isList} onChange={(list) => onSearch({ ...search, view: list ? 'list' : undefined })} />
        </div>
      )}
    </>
  )
}

const ViewSwitch = ({ isList, onChange }: { isList: boolean; onChange: (list: boolean) => void }) => (
  <div className={css['views']} role="group" aria-label="View">
    <button type="button" aria-pressed={!isList} onClick={() => onChange(false)}>
      <Columns3 size={14} strokeWidth={1.5} aria-hidden />
      Columns
    </button>
    <button type="button" aria-pressed={isList} onClick={() => onChange(true)}>
      <List size={14} strokeWidth={1.5} aria-hidden />
      List
    </button>
  </div>
)

function ProjectControls({ project, view }: { project: string; view: ProjectView }) {
  const now = useServerNow()
  const attempt = async (work: Promise<unknown>, done?: string) => {
    try {
      await work
      if (done) toast(done)
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <div className={css['controls']}>
      <label
        className={css['autopilot']}
        title="On: every ready bead is queued by priority, then age. Off: a person presses Run."
      >
        <input
          type="checkbox"
          role="switch"
          checked={view.autopilot}
          onChange={(event) => void attempt(setAutopilot(project, event.target.checked))}
        />
        Autopilot
      </label>
      <IconButton
        label={view.paused ? 'Resume: start beads again' : 'Pause: start nothing new'}
        onClick={() => void attempt(view.paused ? resumeProject(project) : pauseProject(project))}
      >
        {view.paused ? (
          <Play size={16} strokeWidth={1.5} aria-hidden />
        ) : (
          <Pause size={16} strokeWidth={1.5} aria-hidden />
        )}
      </IconButton>
      <IconButton label={syncLabel(view, now)} onClick={() => void attempt(syncProject(project), 'Synced')}>
        <RefreshCw size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </div>
  )
}

/** What keeps the beads, what it does not have yet, and when it was last looked at. */
function syncLabel({ tracker, syncedAt }: ProjectView, now: number): string {
  const what = tracker === null ? '' : `: ${tracker.text}`
  const waits = tracker === null || tracker.waiting === 0 || !tracker.writable ? '' : `, ${tracker.waiting} waiting`
  return `Sync with the tracker${what}${waits}${syncedAt === null ? '' : ` (last ${sinceText(now - syncedAt)})`}`
}
