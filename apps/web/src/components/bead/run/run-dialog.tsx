import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { describePolicy } from '@beadloom/core/execution/retry-words.ts'
import { AgentFields } from './agent-fields.tsx'
import { FreshStartsField } from './fresh-starts-field.tsx'
import css from './run-dialog.module.css'
import { PlanningField } from './planning-field.tsx'
import { useRunChoices, type RunChoices } from './use-run-choices.ts'
import { RetryFields } from '../../retry/retry-fields.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'

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
  const choices = useRunChoices({ card, project, onRun })
  const { fields, context, setContext, agent, setAgent, works, refusal, busy, submit } = choices
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
          <textarea rows={4} value={context} onChange={(event) => setContext(event.target.value)} />
        </label>
        <p className={form['hint']}>Added to the prompt for this run.</p>
        <AgentFields draft={agent} project={project} onChange={setAgent} />
        <PlanningField choice={choices.planning} card={card} onChange={choices.setPlanning} />
        {works === 'openai' && (
          <FreshStartsField choice={choices.fresh} project={project} onChange={choices.setFresh} />
        )}
        <RetryPolicy retry={choices.retry} attempts={attemptsText(project)} />
        <FormProblem text={refusal} />
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

function RetryPolicy({ retry, attempts }: { retry: RunChoices['retry']; attempts: string }) {
  const { draft, change, reset, policy, isOwn, problems, open, setOpen } = retry
  return (
    <details className={css['policy']} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={css['name']}>Retry policy</span>
        <span className={css['means']}>
          {policy === null
            ? 'needs a correction'
            : `${isOwn ? 'this run: ' : ''}${shown(describePolicy({ ...policy, retryOn: [] }))}`}
        </span>
      </summary>
      <div className={css['body']}>
        <p className={form['hint']}>
          Retried when the container, Docker, the agent or its model fails. Failing tests do not count here: they get{' '}
          {attempts}.
        </p>
        <RetryFields draft={draft} problems={problems} onChange={change} />
        <p className={css['preview']} role="status">
          {policy === null ? '' : shown(describePolicy(policy))}
        </p>
        {(isOwn || policy === null) && (
          <Button look="quiet" className={css['reset']} onClick={reset}>
            Reset to the project’s policy
          </Button>
        )}
      </div>
    </details>
  )
}

function attemptsText(project: ProjectView | undefined): string {
  const most = project?.maxAttempts ?? 1
  return most === 1 ? 'one attempt' : `up to ${most} attempts`
}
