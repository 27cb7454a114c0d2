import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { MOST_OF_A_MESSAGE, type Message, type MessageTime } from '@beadloom/core/records/message.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { CircleStop, SendHorizontal } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react'
import { boxId, takesFocus } from './box-focus.ts'
import css from './message-box.module.css'
import { noDraft, type MessageDraft } from './message-drafts.ts'
import { pressKey } from '../../../api/endpoints.ts'
import { sayMessage, stopTurn } from '../../../api/steering.ts'
import { sayRefusal } from '../../../components/bead/bead-actions.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { tooLong } from '../../../ui/text/too-long.ts'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = {
  execution: ExecutionView
  draft: MessageDraft
  onDraft: (draft: MessageDraft) => void
  onSaid: (message: Message) => void
}

const times: Record<MessageTime, string> = { step: 'at the next step', turn: 'after this turn', now: 'now' }
const TIMES_HINT =
  'At the next step: its agent reads it with its next request to its model. After this turn: once it has ended its turn by itself. Now: its command or its model’s answer ends, and it reads this next.'

/**
 * Says something to the agent of an execution. The text stays until the server has it; a repeated press gets the first
 * one's result.
 */
export function MessageBox(props: Props) {
  const { execution, draft, onDraft } = props
  const { id, bead } = execution
  const { text, when } = draft
  const hasEnded = isTerminal(execution.state)
  const long = tooLong(text.trim(), MOST_OF_A_MESSAGE)
  const refusal =
    (hasEnded ? 'it has ended' : sayRefusal(execution)) ?? (text.trim() === '' ? 'type a message first' : long)
  const { to, working, setTo } = useAddressee(execution)
  const { busy, problem, setProblem, submit } = useSubmit(props, to, refusal)
  const box = useRef<HTMLTextAreaElement>(null)
  const own = useId()
  useLayoutEffect(() => grow(box.current), [text])
  useEffect(() => {
    if (takesFocus(id)) box.current?.focus()
  }, [id])
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const key = typedKey(event)
    if (key === 'Escape') {
      event.preventDefault()
      event.currentTarget.blur()
    } else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form className={css['box']} onSubmit={submit}>
      <textarea
        ref={box}
        id={boxId(id)}
        rows={1}
        aria-label={`Your message to the agent of ${shown(bead)}`}
        aria-describedby={problem === null && long === null ? undefined : own}
        aria-keyshortcuts="m"
        placeholder="Say something to its agent"
        value={text}
        readOnly={busy}
        onChange={(event) => {
          setProblem(null)
          onDraft({ text: event.target.value, when })
        }}
        onKeyDown={onKeyDown}
      />
      <div className={css['buttons']}>
        {working.length > 1 && (
          <select
            aria-label="Which agent reads it"
            value={to}
            disabled={busy}
            onChange={(event) => setTo(event.target.value)}
          >
            <option value="">for the first agent</option>
            <option value="all">for all agents</option>
            {working.map((session) => (
              <option key={session.id} value={session.id}>
                for {shown(nameOf(execution, session))}
              </option>
            ))}
          </select>
        )}
        <select
          aria-label="When its agent reads it"
          title={TIMES_HINT}
          value={when}
          disabled={busy}
          onChange={(event) => onDraft({ text, when: event.target.value as MessageTime })}
        >
          {Object.entries(times).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <StopTurn execution={execution} />
        <Button
          needs="runner"
          look="primary"
          type="submit"
          blockedBy={refusal}
          busy={busy}
          aria-keyshortcuts="Control+Enter"
          icon={<SendHorizontal size={16} strokeWidth={1.5} aria-hidden />}
        >
          Send
        </Button>
      </div>
      {(problem ?? long) !== null && (
        <p id={own} className={css['problem']} role="alert">
          {shown(problem ?? `It is ${long}.`)}
        </p>
      )}
      {hasEnded && (
        <p className={css['late']}>
          {problem === null && 'It ended before this was sent. Run the bead again with your text as a note.'}
          <Button look="quiet" onClick={() => onDraft(noDraft)}>
            Discard
          </Button>
        </p>
      )}
    </form>
  )
}

const waitsForWord = ({ paused }: ExecutionView): boolean => paused?.forWord === true || paused?.question !== undefined

/** Ends what its agents are doing, so that they wait for a message. */
function StopTurn({ execution }: Pick<Props, 'execution'>) {
  const { busy, send } = useSending(toastError)
  const press = () =>
    send(async () => {
      await stopTurn(execution.id, pressKey())
      announce('Its agent waits for your message')
    })
  return (
    <Button
      needs="runner"
      look="quiet"
      blockedBy={sayRefusal(execution) ?? (waitsForWord(execution) ? 'it waits for your message already' : null)}
      busy={busy}
      title="Ends the command that its agent runs, or the answer of its model. It keeps what it knows, and waits for your message"
      icon={<CircleStop size={16} strokeWidth={1.5} aria-hidden />}
      onClick={() => void press()}
    >
      Stop turn
    </Button>
  )
}

/** "subtask 2a", else "session 4". */
function nameOf({ inPhases = [] }: ExecutionView, { id, number }: { id: string; number: number }): string {
  const subtask = inPhases.find((one) => one.id === id)?.subtask ?? ''
  return subtask === '' ? `session ${number}` : `subtask ${subtask}`
}

/** The chosen one of the sessions that work side by side; '': the one that has worked for the longest time. */
function useAddressee({ sessions, inPhases = [] }: ExecutionView) {
  const [chosen, setTo] = useState('')
  const isReview = (id: string) => inPhases.some((one) => one.id === id && one.role === 'review')
  const working = sessions.filter(({ id, kind, state }) => kind === 'work' && state !== 'ended' && !isReview(id))
  const to = working.length > 1 && (chosen === 'all' || working.some(({ id }) => id === chosen)) ? chosen : ''
  return { to, working, setTo }
}

/** Sends the draft, unless there is a reason not to. */
function useSubmit({ execution: { id }, draft, onDraft, onSaid }: Props, to: string, refusal: string | null) {
  const { busy, problem, setProblem, send } = useSending()
  /** The same message keeps its key over all tries. */
  const press = useRef<{ what: string; key: string } | null>(null)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (refusal !== null) return
    const message = { text: draft.text.trim(), when: draft.when, ...(to !== '' && { to }) }
    void send(async () => {
      const what = JSON.stringify(message)
      if (press.current?.what !== what) press.current = { what, key: pressKey() }
      const said = await sayMessage(id, message, press.current.key)
      press.current = null
      onSaid(said)
      onDraft(noDraft)
      announce('Sent to its agent')
    })
  }
  return { busy, problem, setProblem, submit }
}

/** Makes it as high as its text; the style sheet bounds it. */
function grow(area: HTMLTextAreaElement | null): void {
  if (area === null) return
  area.style.height = 'auto'
  area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`
}
