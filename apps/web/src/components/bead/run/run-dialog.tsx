import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import { describePolicy } from '@beadloom/core/execution/retry-words.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { useRef, useState } from 'react'
import { AgentFields, asTheProject } from './agent-fields.tsx'
import { freshStartWish, type FreshStartChoice } from './fresh-starts-choice.ts'
import { FreshStartsField } from './fresh-starts-field.tsx'
import css from './run-dialog.module.css'
import { PlanningField } from './planning-field.tsx'
import { planningWish, type PlanningChoice } from './planning-choice.ts'
import { ApiFailure } from '../../../api/client.ts'
import { draftOf, problemsOf, readDraft, type RetryProblems } from '../../retry/retry-draft.ts'
import { RetryFields } from '../../retry/retry-fields.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useSending } from '../../../ui/use-sending.ts'

type Props = {
  card: BeadCard
  project: ProjectView | undefined
  /** The action recommended after the last end. */
  recommended: string | null
  /** Rejects with the server's sentence; the dialog stays open and shows it. */
  onRun: (body: QueueExecution) => Promise<void>
  onClose: () => void
}

/** Queues a bead with a note for its agent, another agent or model, and a retry policy of its own. */
export function RunDialog({ card, project, recommended, onRun, onClose }: Props) {
  // From when the dialog opened: fields must not change under a person's hands.
  const [defaults] = useState(() => project?.retry ?? defaultRetry)
  const [context, setContext] = useState('')
  const [draft, setDraft] = useState(() => draftOf(defaults))
  const [agent, setAgent] = useState(asTheProject)
  const [planning, setPlanning] = useState<PlanningChoice>('usual')
  const [fresh, setFresh] = useState<FreshStartChoice>('usual')
  const [open, setOpen] = useState(false)
  const [refusal, setRefusal] = useState<{ text: string; problems: RetryProblems } | null>(null)
  const fields = useRef<HTMLFormElement>(null)

  const { input, policy, problems: own } = readDraft(draft, defaults)
  const problems = { ...refusal?.problems, ...own }
  const works = agent.agent || (project?.agent ?? '')
  const showProblems = () => {
    setOpen(true)
    requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  const { busy, send } = useSending((error) => {
    const found = error instanceof ApiFailure ? problemsOf(error.details) : {}
    setRefusal({ text: messageOf(error), problems: found })
    if (Object.keys(found).length > 0) showProblems()
  })
  const submit = () => {
    if (busy) return
    if (policy === null) return showProblems()
    void send(() =>
      onRun({
        ...(context.trim() === '' ? {} : { context: context.trim() }),
        ...(agent.agent === '' ? {} : { agent: agent.agent }),
        ...(agent.model.trim() === '' ? {} : { model: agent.model.trim() }),
        ...planningWish(planning, card),
        ...freshStartWish(fresh, works),
        ...input,
      }),
    )
  }

  return (
    <Dialog title={`Run ${card.id}`} onClose={onClose}>
      <form
        ref={fields}
        className={form['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{shown(card.title)}</p>
        {card.baseBranch !== undefined && (
          <p className={form['hint']}>Continues {shown(card.baseBranch)}, the branch of the failed work.</p>
        )}
        {recommended !== null && <p className={form['hint']}>{shown(recommended)}</p>}
        <label>
          Note for the agent (optional)
          <textarea rows={4} maxLength={20_000} value={context} onChange={(event) => setContext(event.target.value)} />
        </label>
        <p className={form['hint']}>Added to the prompt for this run.</p>
        <AgentFields draft={agent} project={project} onChange={setAgent} />
        <PlanningField choice={planning} card={card} onChange={setPlanning} />
        {works === 'openai' && <FreshStartsField choice={fresh} project={project} onChange={setFresh} />}
        <details className={css['policy']} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <span className={css['name']}>Retry policy</span>
            <span className={css['means']}>
              {policy === null
                ? 'needs a correction'
                : `${isOwn(input) ? 'this run: ' : ''}${shown(describePolicy({ ...policy, retryOn: [] }))}`}
            </span>
          </summary>
          <div className={css['body']}>
            <p className={form['hint']}>
              Retried when the container, Docker, the agent or its model fails. Failing tests do not count here: they
              get {attemptsText(project)}.
            </p>
            <RetryFields
              draft={draft}
              problems={problems}
              onChange={(next) => {
                setDraft(next)
                setRefusal(null)
              }}
            />
            <p className={css['preview']} role="status">
              {policy === null ? '' : shown(describePolicy(policy))}
            </p>
            {(isOwn(input) || policy === null) && (
              <Button look="quiet" className={css['reset']} onClick={() => setDraft(draftOf(defaults))}>
                Reset to the project’s policy
              </Button>
            )}
          </div>
        </details>
        {refusal && Object.keys(refusal.problems).length === 0 && (
          <p className={form['error']} role="alert">
            {shown(refusal.text)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            Run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const isOwn = (input: object): boolean => Object.keys(input).length > 0

function attemptsText(project: ProjectView | undefined): string {
  const most = project?.maxAttempts ?? 1
  return most === 1 ? 'one attempt' : `up to ${most} attempts`
}
