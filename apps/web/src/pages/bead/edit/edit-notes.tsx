import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import css from './edit-notes.module.css'
import { fieldWords } from './plain-facts.tsx'
import { useEdit, type Edit } from './use-edit.ts'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

type Kept = NonNullable<BeadView['edits']>[number]

/** Changes made here that are not in the tracker, until a person has decided which version counts. */
export function EditNotes({ bead }: { bead: BeadView }) {
  const { save } = useEdit(bead)
  const { busy, send: sendOne } = useSending(toastError)
  const refused = (bead.edits ?? []).filter(({ problem }) => problem !== '')
  if (refused.length === 0) return null
  const send = (edit: Edit) => void sendOne(() => save(edit))
  return (
    <ul className={css['notes']} aria-label="Not written to the tracker">
      {refused.map((edit) => {
        const mine = againOf(bead, edit)
        return (
          <li key={edit.field} className={css['note']}>
            <div>
              <p>
                Your change of the {fieldWords[edit.field]} was not written: {shown(edit.problem)}.
              </p>
              {typeof edit.value !== 'object' && <blockquote>{shown(wordsOf(edit)).slice(0, 300)}</blockquote>}
            </div>
            {mine && (
              <Button needs="runner" busy={busy} onClick={() => send(mine)}>
                Use mine
              </Button>
            )}
            <Button needs="runner" busy={busy} onClick={() => send({ dismiss: [edit.field] })}>
              {mine ? 'Keep theirs' : 'Dismiss'}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

const wordsOf = ({ field, value }: Kept): string => (field === 'status' && value === 'done' ? 'closed' : String(value))

/** The same change, based on the current text. Lists are never replaced as a whole. */
function againOf(bead: BeadView, { field, value }: Kept): Edit | null {
  if (field === 'labels' || field === 'dependencies') return null
  if (field === 'status') return value === 'open' || value === 'done' ? { status: value } : null
  const was = field === 'acceptance' ? (bead.acceptance ?? '') : bead[field]
  return { [field]: { was, to: value } }
}
