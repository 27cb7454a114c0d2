import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { useState } from 'react'
import { changeDraft, changeIn } from './change-draft.ts'
import css from './run/run-dialog.module.css'
import { pressKey } from '../../api/endpoints.ts'
import { changeExecution } from '../../api/steering.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import form from '../../ui/form.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import { toast } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

type Props = { card: BeadCard; execution: ExecutionView; model: string | null; onClose: () => void }

/** Another model or time limit for an execution that runs. `model`: the project's. */
export function ChangeDialog({ card, execution, model, onClose }: Props) {
  const [draft, setDraft] = useState(() => changeDraft(execution))
  const { busy, problem, setProblem, send } = useSending()
  const live = useBoard(card.project).view?.executions.get(execution.id) ?? execution
  const now = live.course?.model ?? live.chosen?.model ?? model
  const change = changeIn(execution, draft)
  const submit = () => {
    if (change === null) return
    if ('problem' in change) return setProblem(change.problem)
    void send(async () => {
      await changeExecution(execution.id, change.change, pressKey())
      toast(`${card.id} continues with the change`)
      onClose()
    })
  }
  const type = (typed: Partial<typeof draft>) => {
    setProblem(null)
    setDraft({ ...draft, ...typed })
  }
  return (
    <Dialog title={`Change ${card.id} while it runs`} onClose={onClose}>
      <form
        className={form['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{shown(card.title)}</p>
        <div className={css['pair']}>
          <label>
            Model
            <input
              maxLength={200}
              placeholder={now ?? 'chosen by the agent'}
              value={draft.model}
              onChange={(event) => type({ model: event.target.value })}
            />
          </label>
          <label>
            Time limit
            <input maxLength={20} value={draft.time} onChange={(event) => type({ time: event.target.value })} />
          </label>
        </div>
        <p className={form['hint']}>
          The model answers its next calls. The time limit includes the time that it has already run.
        </p>
        <FormProblem text={problem} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            needs="runner"
            look="primary"
            type="submit"
            busy={busy}
            blockedBy={isTerminal(live.state) ? 'it has ended' : change === null ? 'nothing is changed' : null}
          >
            Change
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
