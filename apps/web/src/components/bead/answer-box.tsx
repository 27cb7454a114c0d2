import { useId, useRef, useState } from 'react'
import { loadDraft, saveDraft } from './answer-drafts.ts'
import css from './answer-box.module.css'
import { pressKey, queueExecution } from '../../api/endpoints.ts'
import { sayMessage } from '../../api/steering.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { tooLong } from '../../ui/text/too-long.ts'
import { toast } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { typedKey } from '../../ui/keys/typed-key.ts'

/** The server's limit for a note. */
const LONGEST = 20_000

/** `question`: the execution has waited for the answer since this time, and its conversation continues with it. */
export type Asks = { project: string; bead: string; execution: string; question?: number | undefined }

/**
 * Answers an agent's question: the text becomes the next message to it, or the note of the bead's next execution. A
 * repeated press gets the first one's result; the server refuses an answer to an older question. Typed text stays in
 * this browser until the server has it.
 */
export function AnswerBox({ project, bead, execution, question, onSent }: Asks & { onSent?: () => void }) {
  const inPlace = question !== undefined
  const draft = inPlace ? `${execution} ${question}` : execution
  const [text, setText] = useState(() => loadDraft(draft))
  const { busy, problem, send } = useSending()
  const [sent, setSent] = useState(false)
  /** The same answer keeps its key over all tries. */
  const press = useRef<{ text: string; key: string } | null>(null)
  const id = useId()
  const answer = text.trim()
  const long = tooLong(answer, LONGEST)

  const submit = () => {
    if (answer === '' || long !== null || sent) return
    void send(async () => {
      if (press.current?.text !== answer) press.current = { text: answer, key: pressKey() }
      const { key } = press.current
      if (inPlace) await sayMessage(execution, { text: answer, answers: question }, key)
      else await queueExecution(project, bead, { context: answer, answers: execution }, key)
      setSent(true)
      saveDraft(draft, '')
      toast(`Answer sent: ${bead} ${inPlace ? 'continues' : 'runs again'} with it`)
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
        placeholder="Your answer"
        value={text}
        readOnly={busy || sent}
        aria-describedby={problem === null && long === null ? undefined : `${id}-problem`}
        onChange={(event) => {
          setText(event.target.value)
          saveDraft(draft, event.target.value)
        }}
        onKeyDown={(event) => {
          if (typedKey(event) !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
      />
      <Button
        needs="runner"
        look="primary"
        type="submit"
        blockedBy={answer === '' ? 'type an answer first' : long}
        busy={busy || sent}
        aria-keyshortcuts="Control+Enter"
      >
        {inPlace ? 'Answer' : 'Answer and run'}
      </Button>
      {(problem ?? long) !== null && (
        <p id={`${id}-problem`} className={css['problem']} role="alert">
          {shown(problem ?? `It is ${long}.`)}
        </p>
      )}
    </form>
  )
}
