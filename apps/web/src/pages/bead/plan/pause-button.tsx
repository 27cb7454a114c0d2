import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { Pause, Play } from 'lucide-react'
import { pressKey } from '../../../api/endpoints.ts'
import { pauseExecution, resumeExecution } from '../../../api/steering.ts'
import { Button } from '../../../ui/button.tsx'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

/**
 * Makes work by a plan wait for a person after the current phase, or takes that back. Nothing if that has no effect.
 */
export function PauseButton({ execution }: { execution: ExecutionView }) {
  const { busy, send } = useSending(toastError)
  const { id, state, progress, waits, pauseAsked } = execution
  const isLast = progress === undefined || progress.phase >= progress.of
  if (isTerminal(state) || waits?.kind === 'phase' || (isLast && pauseAsked !== true)) return null
  const press = () =>
    send(() =>
      pauseAsked === true ? resumeExecution(id, pressKey()) : pauseExecution(id, { at: 'phase' }, pressKey()),
    )
  return pauseAsked === true ? (
    <Button
      look="quiet"
      busy={busy}
      onClick={() => void press()}
      icon={<Play size={16} strokeWidth={1.5} aria-hidden />}
    >
      Don’t pause
    </Button>
  ) : (
    <Button
      look="quiet"
      busy={busy}
      onClick={() => void press()}
      icon={<Pause size={16} strokeWidth={1.5} aria-hidden />}
    >
      Pause after this phase
    </Button>
  )
}
