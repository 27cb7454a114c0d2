import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { pressKey, queueExecution } from '../../../api/endpoints.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

type Props = {
  bead: BeadView
  phase: PhaseView
  /** The number of phases in the plan. */
  of: number
  /** The reason why the bead cannot run now. */
  refusal: string | null
}

/** Runs a phase and all later ones again. Their work disappears from the branch, so it asks first. */
export function RunFromPhase({ bead, phase: { number, prePhaseCommit }, of, refusal }: Props) {
  const [asking, setAsking] = useState(false)
  const { busy, send } = useSending(toastError)
  const close = () => setAsking(false)
  const run = async () => {
    await send(() => queueExecution(bead.project, bead.id, { fromPhase: number }, pressKey()))
    close()
  }
  return (
    <>
      <Button
        needs="runner"
        blockedBy={refusal}
        icon={<RotateCcw size={16} strokeWidth={1.5} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Run again from this phase
      </Button>
      {asking && (
        <Dialog title={`Run ${bead.id} again from phase ${number}?`} onClose={close}>
          <p>
            {number === of ? `Phase ${number} is` : `Phases ${number} to ${of} are`} done again by new agents.
            {prePhaseCommit !== null && ` The branch goes back to ${prePhaseCommit.slice(0, 7)}, where it began.`} The
            earlier commits are kept on refs/beadloom.
          </p>
          <DialogActions>
            <Button data-first onClick={close}>
              Cancel
            </Button>
            <Button look="primary" busy={busy} onClick={() => void run()}>
              Run from phase {number}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
