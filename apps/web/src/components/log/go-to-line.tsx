import { useState } from 'react'
import css from './log-pane.module.css'
import { countText } from '@beadloom/core/text/count-text.ts'
import { typedKey } from '../../ui/keys/typed-key.ts'

/** A field for a line number, counted as in the gutter. */
export function GoToLine({
  lines,
  onLine,
  onClose,
}: {
  lines: number
  onLine: (line: number) => void
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const number = Number(text.replaceAll(/[\s,.:]/g, ''))
  return (
    <form
      className={css['goto']}
      onSubmit={(event) => {
        event.preventDefault()
        if (Number.isInteger(number) && number > 0) onLine(Math.min(number, lines) - 1)
        onClose()
      }}
    >
      <label htmlFor="go-to-line">Go to line</label>
      <input
        id="go-to-line"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a key press has just asked for this field
        autoFocus
        inputMode="numeric"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (typedKey(event) === 'Escape') onClose()
        }}
        onBlur={onClose}
      />
      <span>of {countText(lines)}</span>
    </form>
  )
}
