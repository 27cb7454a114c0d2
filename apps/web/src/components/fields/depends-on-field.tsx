import { X } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import css from './depends-on-field.module.css'
import { useBoard } from '../../feed/feed-context.tsx'
import form from '../../ui/form.module.css'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = { project: string; value: readonly string[]; onChange: (value: readonly string[]) => void }

/** More are no choice; their ids can be typed. */
const MOST_OFFERED = 500

/** Beads that must be done first: chosen from the open ones, or typed by their id. */
export function DependsOnField({ project, value, onChange }: Props) {
  const { view } = useBoard(project)
  const [text, setText] = useState('')
  const [unknown, setUnknown] = useState<string | null>(null)
  const [list, note] = [useId(), useId()]
  const offered = useMemo(
    () =>
      [...(view?.beads.values() ?? [])]
        .filter(({ hidden, status, reminderOf }) => !hidden && status !== 'done' && reminderOf === undefined)
        .slice(0, MOST_OFFERED),
    [view],
  )
  const add = (typed: string) => {
    const id = typed.trim()
    if (id === '') return
    if (view?.beads.has(id) !== true) return setUnknown(id)
    if (!value.includes(id)) onChange([...value, id])
    setText('')
    setUnknown(null)
  }
  return (
    <div className={form['form']}>
      <label>
        Depends on
        <input
          value={text}
          list={list}
          placeholder="Id of a bead that must be done first"
          aria-invalid={unknown !== null || undefined}
          aria-describedby={unknown === null ? undefined : note}
          onChange={(event) => {
            setText(event.target.value)
            setUnknown(null)
            // A choice from the list comes as a whole.
            if (view?.beads.has(event.target.value) === true && !isTyped(event.nativeEvent)) add(event.target.value)
          }}
          onKeyDown={(event) => {
            if ((event.key !== 'Enter' && event.key !== ',') || event.ctrlKey || event.metaKey || text.trim() === '')
              return
            event.preventDefault()
            add(text)
          }}
          onBlur={() => add(text)}
        />
      </label>
      <datalist id={list}>
        {offered.map(({ id, title }) => (
          <option key={id} value={id}>
            {shown(title)}
          </option>
        ))}
      </datalist>
      {unknown !== null && (
        <p id={note} className={form['error']} role="alert">
          This project has no bead “{shown(unknown)}”.
        </p>
      )}
      {value.length > 0 && (
        <ul className={css['chosen']} aria-label="Must be done first">
          {value.map((id) => (
            <li key={id} className={css['one']}>
              {id}
              <button
                type="button"
                className={css['remove']}
                aria-label={`Remove ${id}`}
                onClick={() => onChange(value.filter((one) => one !== id))}
              >
                <X size={12} strokeWidth={1.5} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** By its letters; a choice from the list is an input of no kind, or replaces the text. */
const isTyped = (event: Event): boolean =>
  event instanceof InputEvent && event.inputType !== '' && event.inputType !== 'insertReplacementText'
