import { useState } from 'react'
import css from './line-dialog.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

const MOST_CHILDREN = 200
const OPEN_DEPTH = 2

/** A JSON value. Children are created when opened, so depth costs nothing. */
export function JsonTree({ name, value, depth = 0 }: { name?: string; value: unknown; depth?: number }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH)
  const label = name === undefined ? null : <span className={css['key']}>{shown(name)}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <div>
        {label}
        <span className={typeof value === 'string' ? css['text'] : css['other']}>{shown(JSON.stringify(value))}</span>
      </div>
    )
  const entries = Object.entries(value)
  const [left, right] = Array.isArray(value) ? '[]' : '{}'
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        {left}
        <span className={css['size']}> {countText(entries.length)} </span>
        {right}
      </summary>
      {open && (
        <div className={css['tree']}>
          {entries.slice(0, MOST_CHILDREN).map(([key, child]) => (
            <JsonTree key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > MOST_CHILDREN && (
            <p className={css['rest']}>… {countText(entries.length - MOST_CHILDREN)} more</p>
          )}
        </div>
      )}
    </details>
  )
}
