import type { ChangeSavedView, SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import { ArrowDown, ArrowUp, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import css from './manage-views-dialog.module.css'
import { searchText, viewOf } from './view-search.ts'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { pressKey } from '../../../api/endpoints.ts'
import { addSavedView, changeSavedView, dropSavedView } from '../../../api/saved-views.ts'
import { useSavedViews } from '../../../components/saved-views/use-saved-views.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = { project: string; search: BoardSearch; onClose: () => void }

/** Renames, orders and deletes views, sets the board's default, and updates a view to what the board shows now. */
export function ManageViewsDialog({ project, search, onClose }: Props) {
  const { views, put } = useSavedViews(project)
  // Requests may overlap: leaving a name field and pressing an arrow are one click, and both count.
  const { problem, send } = useSending(undefined, true)
  const drop = async ({ id, ...view }: SavedView) => {
    put(await dropSavedView(project, id))
    const undo = () => void addSavedView(project, view, pressKey()).then(put, toastError)
    toast(`View “${view.name}” deleted`, { action: { label: 'Undo', run: undo } })
  }
  const isUsed = viewOf(views, search) !== null
  return (
    <Dialog title="Views" onClose={onClose} wide>
      {[false, true].map((forAll) => {
        const rows = views.filter((view) => view.forAll === forAll)
        if (rows.length === 0) return null
        return (
          <section key={String(forAll)} className={css['part']}>
            <h3>{forAll ? 'For all projects' : 'Of this project'}</h3>
            <ul className={css['rows']}>
              {rows.map((view, at) => (
                <Row
                  key={view.id}
                  view={view}
                  above={rows[at - 1]?.id}
                  below={at === rows.length - 1 ? undefined : (rows[at + 2]?.id ?? null)}
                  now={isUsed ? null : searchText(search)}
                  onChange={(change) => void send(async () => put(await changeSavedView(project, view.id, change)))}
                  onDrop={() => void send(() => drop(view))}
                />
              ))}
            </ul>
          </section>
        )
      })}
      {views.length === 0 && <p className={form['hint']}>There are no saved views.</p>}
      <FormProblem text={problem} />
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}

type RowProps = {
  view: SavedView
  /** The view that it precedes after moving up; undefined: it is the first. */
  above: number | undefined
  below: number | null | undefined
  /** The board's current state, if no view matches it. */
  now: string | null
  onChange: (change: ChangeSavedView) => void
  onDrop: () => void
}

function Row({ view, above, below, now, onChange, onDrop }: RowProps) {
  const [name, setName] = useState(view.name)
  const called = shown(view.name)
  const rename = () => {
    const wanted = name.trim()
    if (wanted === '') setName(view.name)
    else if (wanted !== view.name) onChange({ name: wanted })
  }
  return (
    <li className={css['row']}>
      <input
        className={css['name']}
        aria-label={`Name of ${called}`}
        value={name}
        maxLength={60}
        onChange={(event) => setName(event.target.value)}
        onBlur={rename}
        onKeyDown={(event) => typedKey(event) === 'Enter' && rename()}
      />
      {now !== null && (
        <button
          type="button"
          className={css['use']}
          aria-label={`Replace with the current one: ${called}`}
          onClick={() => onChange({ search: now })}
        >
          <span>
            Replace<span className={css['more']}> with the current one</span>
          </span>
        </button>
      )}
      <span className={css['tools']}>
        <button
          type="button"
          className={css['tool']}
          aria-label={`Open the board with ${called}`}
          aria-pressed={view.isDefault}
          title="Open the board with it"
          onClick={() => onChange({ isDefault: !view.isDefault })}
        >
          <Star size={16} strokeWidth={1.5} fill={view.isDefault ? 'currentColor' : 'none'} aria-hidden />
        </button>
        <button
          type="button"
          className={css['tool']}
          aria-label={`Move ${called} up`}
          aria-disabled={above === undefined || undefined}
          onClick={() => above !== undefined && onChange({ before: above })}
        >
          <ArrowUp size={16} strokeWidth={1.5} aria-hidden />
        </button>
        <button
          type="button"
          className={css['tool']}
          aria-label={`Move ${called} down`}
          aria-disabled={below === undefined || undefined}
          onClick={() => below !== undefined && onChange({ before: below })}
        >
          <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
        </button>
        <button type="button" className={css['tool']} aria-label={`Delete ${called}`} onClick={onDrop}>
          <Trash2 size={16} strokeWidth={1.5} aria-hidden />
        </button>
      </span>
    </li>
  )
}
