import { X } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import css from './depends-on-field.module.css'
import { useBoard } from '../../feed/feed-context.tsx'
import form from '../../ui/form.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import { typedKey } from '../../ui/keys/typed-key.ts'

type Chosen = {
  project: string
  /** The bead that is to wait: it cannot wait for itself. Null: it does not exist yet. */
  own: string | null
  value: readonly string[]
  onChange: (value: readonly string[]) => void
}

/** More would be no choice; their ids can be typed. */
const MOST_OFFERED = 500

/**
 * Chosen and typed beads. `all()` includes both, so an id counts without Enter. It is null if an id names no bead that
 * this one can wait for; then the field says so and gets the focus.
 */
export function useDependsOn({ project, own, value, onChange }: Chosen) {
  const { view } = useBoard(project)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const all = (text = typed): readonly string[] | null => {
    const ids = text.split(/[\s,]+/).filter(Boolean)
    const bad = ids.find((id) => id === own || view?.beads.has(id) !== true)
    if (bad === undefined) return [...new Set([...value, ...ids])]
    setProblem(bad === own ? 'A bead cannot wait for itself.' : `This project has no bead “${shown(bad)}”.`)
    input.current?.focus()
    return null
  }
  const type = (text: string) => {
    setTyped(text)
    setProblem(null)
  }
  const add = (text: string) => {
    const ids = all(text)
    if (ids === null) return
    onChange(ids)
    type('')
  }
  return { view, own, value, onChange, typed, type, add, all, problem, input }
}

type Props = { of: ReturnType<typeof useDependsOn>; autoFocus?: boolean }

/** Beads that must be done first: chosen from the open ones, or typed by their ids. */
export function DependsOnField({ of, autoFocus = false }: Props) {
  const { view, own, value, onChange, typed, type, add, problem, input } = of
  const [list, note] = [useId(), useId()]
  const offered = useMemo(
    () =>
      [...(view?.beads.values() ?? [])]
        .filter(({ id, hidden, status, reminderOf }) => {
          const isWork = !hidden && status !== 'done' && reminderOf === undefined
          return isWork && id !== own && !value.includes(id)
        })
        .slice(0, MOST_OFFERED),
    [view, own, value],
  )
  return (
    <div className={form['form']}>
      <label>
        Depends on
        <input
          ref={input}
          autoFocus={autoFocus}
          value={typed}
          list={list}
          placeholder="Id of a bead that must be done first"
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : note}
          onChange={(event) => {
            const { value: text } = event.target
            // A choice from the list arrives as a whole.
            if (view?.beads.has(text) === true && !isTyped(event.nativeEvent)) add(text)
            else type(text)
          }}
          onKeyDown={(event) => {
            const key = typedKey(event)
            if ((key !== 'Enter' && key !== ',') || event.ctrlKey || event.metaKey || typed.trim() === '') return
            event.preventDefault()
            add(typed)
          }}
        />
      </label>
      <datalist id={list}>
        {offered.map(({ id, title }) => (
          <option key={id} value={id}>
            {shown(title)}
          </option>
        ))}
      </datalist>
      {problem !== null && (
        <p id={note} className={form['error']} role="alert">
          {problem}
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

/** Whether a person typed it. A choice from the list is an input event without a type, or replaces the text. */
const isTyped = (event: Event): boolean =>
  event instanceof InputEvent && event.inputType !== '' && event.inputType !== 'insertReplacementText'
