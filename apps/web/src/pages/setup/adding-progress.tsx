import { addingText, type AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import { useState } from 'react'
import { cancelAdding } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.tsx'
import css from './adding-progress.module.css'

/** The progress of adding a repository, with a button to cancel. */
export function AddingProgress({ own }: { own: AddingView }) {
  const [ending, setEnding] = useState(false)
  const cancel = () => {
    setEnding(true)
    cancelAdding(own.project).catch((error: unknown) => {
      setEnding(false)
      toastError(error)
    })
  }
  return (
    <div className={css['adding']}>
      <progress
        className={css['bar']}
        max={100}
        value={own.percent ?? undefined}
        aria-label={`Adding ${own.project}`}
      />
      <span className={css['text']}>{addingText(own)}</span>
      <Button look="quiet" busy={ending} onClick={cancel}>
        Cancel
      </Button>
    </div>
  )
}
