import { useId, useRef, useState } from 'react'
import { loadDraft, saveDraft } from './answer-drafts.ts'
import css from './answer-box.module.css'
import { pressKey, queueExecution } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { toast } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

/** The server's limit for a note. */
const LONGEST = 20_000

export type Asks = { project: string; bead: string; execution: string }

/**
 * Answers the question of a blocked bead: the text becomes the note of its next execution. A repeated press gets the
 * first one's result; the server refuses an answer to an older question. Typed text stays in this browser until the
 * server has it.
 */
export function AnswerBox({ project, bead, execution, onSent }: Asks & { onSent?: () => void }) {
  const [text, setText] = useState(() => loadDraft(execution))
  const { busy, problem, send } = useSending()
  const [sent, setSent] = useState(false)
  /** The same answer keeps its key over all tries. */
  const press = useRef<{ text: string; key: string } | null>(null)
  const id = useId()
  const answer = text.trim()

  const submit = () => {
    if (answer === '' || sent) return
    void send(async () => {
      if (press.current?.text !== answer) press.current = { text: answer, key: pressKey() }
      await queueExecution(project, bead, { context: answer, answers: execution }, press.current.key)
      setSent(true)
      saveDraft(execution, '')
      toast(`Answer sent: ${bead} runs again with it`)
      onSent?.()
    })
  }

  return (
    <form
      className={css['box']}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        Your answer for {shown(bead)}
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={LONGEST}
        placeholder="Your answer"
        value={text}
        readOnly={busy || sent}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => {
          setText(event.target.value)
          saveDraft(execution, event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
      />
      <Button
        needs="runner"
        look="primary"
        type="submit"
        blockedBy={answer === '' ? 'type an answer first' : null}
        busy={busy || sent}
        aria-keyshortcuts="Control+Enter"
      >
        Answer and run
      </Button>
      {problem !== null && (
        <p id={`${id}-problem`} className={css['problem']} role="alert">
          {shown(problem)}
        </p>
      )}
    </form>
  )
}
