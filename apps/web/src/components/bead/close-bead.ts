import { changeBead } from '../../api/endpoints.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Status = Parameters<typeof changeBead>[2]

/** Closes a bead; for a few seconds it can be undone. */
export const closeBead = (project: string, bead: string): Promise<unknown> =>
  change(project, bead, { from: 'open', to: 'done', said: `${bead} closed` })

/** Reopens a bead that is done; it runs when somebody says so. */
export const reopenBead = (project: string, bead: string): Promise<unknown> =>
  change(project, bead, { from: 'done', to: 'open', said: `${bead} reopened` })

function change(
  project: string,
  bead: string,
  { from, to, said }: { from: Status; to: Status; said: string },
): Promise<unknown> {
  const undo = () => void changeBead(project, bead, from).catch(toastError)
  return changeBead(project, bead, to).then(() => toast(said, { action: { label: 'Undo', run: undo } }), toastError)
}
