import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { Pencil, Plus } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import css from './editable.module.css'
import type { TextField } from './edit-drafts.ts'
import { useRefusal } from '../../../ui/allowed.ts'
import { IconButton } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Loading } from '../../../ui/loading.tsx'

const { Part: TextEditor } = lazyPart(async () => (await import('./text-editor.tsx')).TextEditor)
const { Part: WaitsEditor } = lazyPart(async () => (await import('./waits-editor.tsx')).WaitsEditor)

/** The part open for changes: one at a time. */
export type Editing = { bead: string; field: TextField | 'waits' }
export type EditProps = {
  editing: Editing['field'] | null
  onEdit: (field: Editing['field'] | null) => void
}

type Props = EditProps & {
  bead: BeadView
  field: Editing['field']
  /** The current text. */
  now: string
  live: boolean
  /** Content while nobody changes it, with the button that starts a change. */
  children: (button: ReactNode) => ReactNode
}

const words: Record<Editing['field'], { label: string; add?: string; keys?: string }> = {
  title: { label: 'Change the title', keys: 't' },
  description: { label: 'Change the description', keys: 'b' },
  acceptance: { label: 'Change the acceptance criteria', add: 'Add acceptance criteria' },
  waits: { label: 'Change dependencies', add: 'Wait for another bead' },
}

/** A part of a bead that is changed in place. */
export function Editable({ bead, field, now, live, editing, onEdit, children }: Props) {
  // After the editor closes, the focus returns to its button.
  const [closed, setClosed] = useState(false)
  const refused = useRefusal('runner')
  if (editing === field) {
    const onClose = () => {
      setClosed(true)
      onEdit(null)
    }
    return (
      <Suspense fallback={<Loading what="the editor" />}>
        {field === 'waits' ? (
          <WaitsEditor key={bead.id} bead={bead} onClose={onClose} />
        ) : (
          <TextEditor key={bead.id} bead={bead} field={field} now={now} live={live} onClose={onClose} />
        )}
      </Suspense>
    )
  }
  const { label, add, keys } = words[field]
  const isThere = field === 'waits' ? bead.dependencies.some(({ type }) => type !== 'discovered-from') : now !== ''
  // No button at all, rather than a disabled pencil in each of five places.
  if (refused !== null) return children(null)
  const begin = () => onEdit(field)
  if (add !== undefined && !isThere)
    return children(
      <button type="button" className={css['add']} autoFocus={closed} onClick={begin}>
        <Plus size={14} strokeWidth={1.5} aria-hidden /> {add}
      </button>,
    )
  return children(
    <IconButton label={label} {...(keys && { keys })} className={css['pencil']} autoFocus={closed} onClick={begin}>
      <Pencil size={14} strokeWidth={1.5} aria-hidden />
    </IconButton>,
  )
}
