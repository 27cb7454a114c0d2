import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { priorityText, priorityWords } from '@beadloom/core/bead/priority-words.ts'
import { X } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import css from './fact-fields.module.css'
import { useEdit } from './use-edit.ts'
import { useBoard } from '../../../feed/feed-context.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { typedKey } from '../../../ui/keys/typed-key.ts'

const types = ['task', 'bug', 'feature', 'chore', 'epic'] as const
type Type = (typeof types)[number]
const isType = (type: string): type is Type => (types as readonly string[]).includes(type)

export const FactFields = ({ bead }: { bead: BeadView }) => (
  <>
    <div>
      <dt>Priority</dt>
      <dd>
        <PriorityField bead={bead} />
      </dd>
    </div>
    <div>
      <dt>Type</dt>
      <dd>
        <TypeField bead={bead} />
      </dd>
    </div>
    <div>
      <dt>Labels</dt>
      <dd>
        <LabelsField bead={bead} />
      </dd>
    </div>
  </>
)

function PriorityField({ bead }: { bead: BeadView }) {
  const { change } = useEdit(bead)
  const { id, priority } = bead
  return (
    <select
      className={css['select']}
      aria-label="Priority"
      value={priority}
      onChange={(event) => {
        const to = Number(event.target.value)
        const edit = { priority: { was: priority, to } }
        void change(edit, `${id} is P${to} now`, { priority: { was: to, to: priority } })
      }}
    >
      {priorityWords.map((name, value) => (
        <option key={name} value={value}>
          {priorityText(value)}
        </option>
      ))}
    </select>
  )
}

/** A type that only this tracker knows can be changed to another, and is then no longer offered. */
function TypeField({ bead }: { bead: BeadView }) {
  const { change } = useEdit(bead)
  const { id, type } = bead
  return (
    <select
      className={css['select']}
      aria-label="Type"
      value={type}
      onChange={(event) => {
        const to = event.target.value
        if (!isType(to)) return
        // A type that only this tracker knows cannot be set again.
        const undo = isType(type) ? { type: { was: to, to: type } } : null
        void change({ type: { was: type, to } }, `${id} is a ${to} now`, undo)
      }}
    >
      {!isType(type) && <option value={type}>{shown(type)}</option>}
      {types.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}

/** A longer list would be no choice; labels can be typed. */
const MOST_OFFERED = 200

function LabelsField({ bead }: { bead: BeadView }) {
  const { change } = useEdit(bead)
  const { view } = useBoard(bead.project)
  const [text, setText] = useState('')
  const list = useId()
  const known = useMemo(
    () => [...new Set([...(view?.beads.values() ?? [])].flatMap(({ labels }) => labels))].sort().slice(0, MOST_OFFERED),
    [view],
  )
  const add = () => {
    const label = text.trim()
    setText('')
    if (label === '' || bead.labels.includes(label)) return
    void change({ labels: { add: [label] } }, `Label “${label}” added`, { labels: { remove: [label] } })
  }
  return (
    <ul className={css['labels']} aria-label="Labels">
      {bead.labels.map((label) => (
        <li key={label} className={css['label']}>
          {shown(label)}
          <button
            type="button"
            aria-label={`Remove label ${shown(label)}`}
            onClick={() =>
              void change({ labels: { remove: [label] } }, `Label “${shown(label)}” removed`, {
                labels: { add: [label] },
              })
            }
          >
            <X size={12} strokeWidth={1.5} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <input
          className={css['add']}
          data-unsaved={text !== '' || undefined}
          aria-label="Add a label"
          placeholder="Add …"
          list={list}
          maxLength={255}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            const key = typedKey(event)
            if (key === 'Enter' || key === ',') {
              event.preventDefault()
              add()
            }
            if (key === 'Escape') {
              event.stopPropagation()
              setText('')
            }
          }}
        />
        <datalist id={list}>
          {known
            .filter((label) => !bead.labels.includes(label))
            .map((label) => (
              <option key={label} value={label} />
            ))}
        </datalist>
      </li>
    </ul>
  )
}
