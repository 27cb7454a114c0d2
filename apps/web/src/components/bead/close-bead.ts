import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import { changeBead } from '../../api/endpoints.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Status = Parameters<typeof changeBead>[2]

/**
 * Whether reopening brings a bead back to its old state. A bead that asked a question, failed or timed out would come
 * back as one that never ran: without its question, and autopilot would start it.
 */
export const undoesClosing = (status: BeadStatus): boolean => status === 'open'

/** Closes a bead; for a few seconds this can be undone if the bead was open. */
export const closeBead = (project: string, bead: string, status: BeadStatus): Promise<unknown> =>
  change(project, bead, { from: undoesClosing(status) ? 'open' : null, to: 'done', said: `${bead} closed` })

/** Reopens a bead that is done; it runs when somebody starts it. */
export const reopenBead = (project: string, bead: string): Promise<unknown> =>
  change(project, bead, { from: 'done', to: 'open', said: `${bead} reopened` })

function change(
  project: string,
  bead: string,
  { from, to, said }: { from: Status | null; to: Status; said: string },
): Promise<unknown> {
  const undo = from && { action: { label: 'Undo', run: () => void changeBead(project, bead, from).catch(toastError) } }
  return changeBead(project, bead, to).then(() => toast(said, undo ?? undefined), toastError)
}
