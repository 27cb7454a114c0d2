import type { SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import { useState } from 'react'
import css from './save-view-dialog.module.css'
import { searchText } from './view-search.ts'
import type { BoardSearch } from '@beadloom/core/board/board-search.ts'
import { pressKey } from '../../../api/endpoints.ts'
import { addSavedView } from '../../../api/saved-views.ts'
import { useSavedViews } from '../../../components/saved-views/use-saved-views.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'

type Props = { project: string; search: BoardSearch; current: SavedView | null; onClose: () => void }

/** Saves what the board shows now under a name. */
export function SaveViewDialog({ project, search, current, onClose }: Props) {
  const { put } = useSavedViews(project)
  const [name, setName] = useState('')
  const [forAll, setForAll] = useState(false)
  const [isDefault, setDefault] = useState(false)
  const { busy, problem, setProblem, send } = useSending()
  const save = () =>
    send(async () => {
      if (name.trim() === '') return
      put(await addSavedView(project, { name: name.trim(), search: searchText(search), forAll, isDefault }, pressKey()))
      toast(`View “${name.trim()}” saved`)
      onClose()
    })
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form
        className={`${form['form']} ${css['form']}`}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p className={form['hint']}>
          Saves the filter, groups, order and layout of the board on this server, for everybody who uses it, in every
          browser.
          {current && ` It is saved as “${shown(current.name)}” already.`}
        </p>
        <label>
          Name
          <input
            value={name}
            maxLength={60}
            required
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value)
              setProblem(null)
            }}
          />
        </label>
        <label className={css['check']}>
          <input type="checkbox" checked={forAll} onChange={(event) => setForAll(event.target.checked)} />
          For all projects
        </label>
        <label className={css['check']}>
          <input type="checkbox" checked={isDefault} onChange={(event) => setDefault(event.target.checked)} />
          Open the board with it
        </label>
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy} blockedBy={name.trim() === '' ? 'it needs a name' : null}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
