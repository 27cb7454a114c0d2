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
