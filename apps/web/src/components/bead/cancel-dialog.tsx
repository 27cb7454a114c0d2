import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { cancelExecution } from '../../api/endpoints.ts'
import { useBoard, useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { spanText, unbroken } from '../../ui/text/time-text.ts'
import { toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

/** The same end as when nobody answers. */
const ENDS_AT_LIMIT = 'It gets no more tokens or money, and ends as failed because its limit is reached.'

/** Stopping loses work: the dialog says how much. */
export function CancelDialog({
  card,
  execution,
  onClose,
}: {
  card: BeadCard
  execution: ExecutionView
  onClose: () => void
}) {
  const now = useServerNow()
  const { busy, send } = useSending(toastError)
  const live = useBoard(card.project).view?.executions.get(execution.id) ?? execution
  const tokens = live.tokens.input + live.tokens.output
  const spent = `${unbroken(spanText(now - (execution.startedAt ?? now)))}${tokens > 0 ? ` and ${countText(tokens)} tokens` : ''}`
  const isAsking = live.waits?.kind === 'budget' && !live.waits.granted
  const stop = async () => {
    await send(() => cancelExecution(execution.id))
    onClose()
  }
  if (isTerminal(live.state))
    return (
      <Dialog title={`${card.id} has already ended`} onClose={onClose}>
        <p>{shown(live.detail || 'It ended before you answered, so there is nothing left to stop.')}</p>
        <DialogActions>
          <Button data-first onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title={`Stop ${card.id}?`} onClose={onClose}>
      <p>{shown(card.title)}</p>
      <p>
        Its agent has been working for {spent}. {isAsking ? ENDS_AT_LIMIT : 'The bead returns to its previous state.'}{' '}
        Beadloom saves what the agent left in its workspace on a branch, but does not verify it.
      </p>
      <DialogActions>
        <Button data-first onClick={onClose}>
          {isAsking ? 'Keep waiting' : 'Keep running'}
        </Button>
        <Button look="danger" busy={busy} onClick={() => void stop()}>
          Stop
        </Button>
      </DialogActions>
    </Dialog>
  )
}
