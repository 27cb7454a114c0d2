import { changeBead } from '../../api/endpoints.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Standing = Parameters<typeof changeBead>[2]

/** Closes a bead; for a few seconds it can be taken back. */
export const closeBead = (project: string, bead: string): Promise<unknown> =>
  change(project, bead, { from: 'open', to: 'done', said: `${bead} closed` })

/** Takes a bead up again that is done; it runs when somebody says so. */
export const reopenBead = (project: string, bead: string): Promise<unknown> =>
  change(project, bead, { from: 'done', to: 'open', said: `${bead} is open again` })

function change(
  project: string,
  bead: string,
  { from, to, said }: { from: Standing; to: Standing; said: string },
): Promise<unknown> {
  const undo = () => void changeBead(project, bead, from).catch(toastError)
  return changeBead(project, bead, to).then(() => toast(said, { action: { label: 'Undo', run: undo } }), toastError)
}
