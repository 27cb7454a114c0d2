import { addingText, withoutLogin } from '@beadloom/core/api/projects/adding-api.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelAdding, getAdding } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.tsx'
import css from './adding-progress.module.css'

const LOOK_MS = 500

/** The progress of adding a repository, with a button to cancel; nothing if adding takes only a moment. */
export function AddingProgress({ source }: { source: string }) {
  const { data } = useQuery({
    queryKey: ['adding'],
    queryFn: ({ signal }) => getAdding(signal),
    refetchInterval: LOOK_MS,
    gcTime: 0,
  })
  const [ending, setEnding] = useState(false)
  const own = data?.items.find((one) => one.source === withoutLogin(source))
  if (own === undefined) return null
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
