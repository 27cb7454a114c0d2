import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import css from './send-dialog.module.css'
import { sendPlan, type SendStep } from './send-plan.ts'
import { changeBead, getBead, pressKey, queueExecution } from '../../../api/endpoints.ts'
import { useBoard } from '../../../feed/feed-context.tsx'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { spanText, unbroken } from '../../../ui/text/time-text.ts'
import { toast } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'

type Props = { review: ReviewView; issues: readonly ReviewIssueView[]; onSent: () => void; onClose: () => void }

/** Before anything runs, says what will run and what the last execution cost. */
export function SendDialog({ review, issues, onSent, onClose }: Props) {
  const { project } = review
  const { view } = useBoard(project)
  const { busy, problem, send: queue } = useSending()
  const { steps, left } = sendPlan(review, issues, (id) => {
    const card = view?.beads.get(id)
    return { card, execution: card?.execution ? (view?.executions.get(card.execution) ?? null) : null }
  })
  const cost = useLastCost(project, review.bead)
  const submit = () =>
    queue(async () => {
      for (const step of steps) await send(project, step)
      toast(steps.length === 1 ? `${steps[0]?.bead} queued` : `${steps.length} beads queued`)
      onSent()
      onClose()
    })
  return (
    <Dialog
      title={issues.length === 1 ? 'Send this issue to the agent?' : 'Send these issues to the agent?'}
      onClose={onClose}
    >
      <div className={css['body']}>
        {steps.length === 0 && <p>There is nothing to run.</p>}
        {steps.map(({ bead, says }) => (
          <p key={bead}>{shown(says)}</p>
        ))}
        {left.map((text) => (
          <p key={text} className={form['hint']}>
            Left out: {shown(text)}.
          </p>
        ))}
        {cost !== null && <p className={form['hint']}>{cost}</p>}
        {steps[0] !== undefined && steps[0].context !== '' && (
          <details>
            <summary>Note for the agent</summary>
            <pre className={css['note']} tabIndex={0} role="group" aria-label="Note for the agent">
              {shown(steps[0].context)}
            </pre>
          </details>
        )}
        <FormProblem text={problem} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          data-first
          look="primary"
          busy={busy}
          blockedBy={steps.length === 0 ? 'there is nothing to queue' : null}
          onClick={() => void submit()}
        >
          {steps.length > 1 ? `Queue ${steps.length} beads` : 'Queue'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

async function send(project: string, { bead, reopen, context }: SendStep): Promise<void> {
  if (reopen) await changeBead(project, bead, 'open')
  try {
    await queueExecution(project, bead, context === '' ? {} : { context }, pressKey())
  } catch (error) {
    if (reopen) await changeBead(project, bead, 'done').catch(() => null) // closed again, as before
    throw error
  }
}

/** The cost of the bead's last execution, for an idea of this one's. */
function useLastCost(project: string, bead: string | null): string | null {
  const { data } = useQuery({
    queryKey: ['bead', project, bead, 'cost'],
    queryFn: ({ signal }) => getBead(project, bead ?? '', signal),
    enabled: bead !== null,
  })
  const last = data?.executions.find((one: ExecutionView) => one.kind === 'work' && one.endedAt !== null)
  const took = last ? lasted(last) : null
  if (!last || took === null) return null
  const tokens = last.tokens.input + last.tokens.output
  const spent = tokens === 0 ? '' : ` and ${countText(tokens)} tokens`
  return `Last time it took ${unbroken(spanText(took))}${spent}.`
}
