import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ChangeBead } from '@beadloom/core/api/beads/bead-requests.ts'
import { useQueryClient } from '@tanstack/react-query'
import { editBead } from '../../../api/endpoints.ts'
import { toast, toastError } from '../../../ui/toast.tsx'

export type Edit = ChangeBead

/** Changes a bead; shows the answer before the feed has it. */
export function useEdit({ project, id }: Pick<BeadView, 'project' | 'id'>) {
  const queries = useQueryClient()
  /** Rejects if the server refuses. */
  const save = async (edit: Edit): Promise<void> => {
    const bead = await editBead(project, id, edit)
    queries.setQueriesData({ queryKey: ['bead', project, id] }, bead)
  }
  /** Reports the change, with an undo unless that is null; also reports a refusal. */
  const change = (edit: Edit, said: string, undo: Edit | null): Promise<void> =>
    save(edit).then(
      () => toast(said, undo ? { action: { label: 'Undo', run: () => void save(undo).catch(toastError) } } : {}),
      (error: unknown) => {
        toastError(error)
        void queries.invalidateQueries({ queryKey: ['bead', project, id] })
      },
    )
  const again = () => queries.invalidateQueries({ queryKey: ['bead', project, id] })
  return { save, change, again }
}
