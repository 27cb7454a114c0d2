import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { useState } from 'react'
import css from './text-editor.module.css'
import { useEdit } from './use-edit.ts'
import { DependsOnField, useDependsOn } from '../../../components/fields/depends-on-field.tsx'
import { Button } from '../../../ui/button.tsx'
import form from '../../../ui/form.module.css'
import { toast } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { typedKey } from '../../../ui/keys/typed-key.ts'

type Props = { bead: BeadView; onClose: () => void }

const edgesTo = (ids: readonly string[]) => ids.map((dependsOn) => ({ dependsOn }))

/** Edits which beads must be done before this one can start. Other links, such as its epic, stay. */
export function WaitsEditor({ bead, onClose }: Props) {
  const before = bead.dependencies.filter(({ type }) => type === 'blocks').map(({ id }) => id)
  const [ids, setIds] = useState<readonly string[]>(before)
  const { save } = useEdit(bead)
  const { busy, problem, send } = useSending()
  const dependsOn = useDependsOn({ project: bead.project, own: bead.id, value: ids, onChange: setIds })
  const submit = () => {
    const wanted = dependsOn.all()
    if (wanted === null) return
    const add = wanted.filter((id) => !before.includes(id))
    const remove = before.filter((id) => !wanted.includes(id))
    if (add.length + remove.length === 0) return onClose()
    void send(async () => {
      await save({ dependencies: { add: edgesTo(add), remove: edgesTo(remove) } })
      toast(`What ${bead.id} waits for was changed`)
      onClose()
    })
  }
  return (
    <form
      className={`${form['form']} ${css['editor']}`}
      data-unsaved
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => {
        if (typedKey(event) !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <DependsOnField of={dependsOn} autoFocus />
      <FormProblem text={problem} />
      <div className={css['buttons']}>
        <Button look="primary" type="submit" busy={busy}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
