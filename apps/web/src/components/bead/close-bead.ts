import { changeBead } from '../../api/endpoints.ts'
import { toast, toastError } from '../../ui/toast.tsx'

/** Closes a bead; for a few seconds it can be taken back. */
export const closeBead = (project: string, bead: string): Promise<unknown> =>
  changeBead(project, bead, 'done').then(
    () =>
      toast(`${bead} closed`, {
        action: { label: 'Undo', run: () => void changeBead(project, bead, 'open').catch(toastError) },
      }),
    toastError,
  )

/** Takes a bead up again that is done; it runs when somebody says so. */
export const reopenBead = (project: string, bead: string): Promise<unknown> =>
  changeBead(project, bead, 'open').then(
    () =>
      toast(`${bead} is open again`, {
        action: { label: 'Undo', run: () => void changeBead(project, bead, 'done').catch(toastError) },
      }),
    toastError,
  )
