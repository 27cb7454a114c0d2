import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type { ReviewView } from '@beadloom/core/api/review-api.ts'
import { useCallback, useState } from 'react'
import { reviewRefusal, type ReviewState } from './review-state.ts'
import { useReviewCache, useTargetReview, type TargetReview } from './use-reviews.ts'
import { askReview, cancelExecution, pressKey } from '../../api/endpoints.ts'
import { announce } from '../../ui/announcer.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

export type ReviewCommands = TargetReview & {
  /** Why it cannot be asked for now, or null. */
  refusal: string | null
  busy: boolean
  /** The review that the last press led to, made by it or found; null before one. */
  asked: string | null
  /** Asks for a review; an existing review of the same commit is opened instead. */
  press(): void
  /** Asks for a new one, even of a commit that was reviewed. */
  again(): void
  cancel(): void
}

type Target = {
  project: string
  /** Null: the work branch. */
  bead: string | null
  /** The newest execution of the bead, where it is known; not needed for the work branch. */
  work?: ExecutionView | null | undefined
  /** Why the project cannot run anything, or null. */
  problem: string | null
  /** Shows a review. */
  open: (id: string) => void
}

/** Asking for a review, once: one press is one request with one key, and a second press finds the review of the first. */
export function useReviewCommands({ project, bead, work, problem, open }: Target): ReviewCommands {
  const target = useTargetReview(project, bead)
  const keep = useReviewCache(project)
  const { busy, send } = useSending(toastError)
  const [asked, setAsked] = useState<string | null>(null)
  const { state } = target
  const refusal = problem ?? (bead === null ? null : reviewRefusal(bead, work))

  const ask = useCallback(
    (again: boolean) =>
      send(async () => {
        const view = await askReview(
          project,
          { ...(bead === null ? {} : { bead }), ...(again ? { again } : {}) },
          pressKey(),
        )
        keep(view)
        setAsked(view.id)
        said(view)
      }),
    [project, bead, keep, send],
  )

  return {
    ...target,
    refusal,
    busy,
    asked,
    press: () => {
      if (isThere(state)) return open(state.id)
      if (refusal) toast(refusal)
      else void ask(false)
    },
    again: () => {
      if (state.is === 'queued' || state.is === 'running') return open(state.id)
      if (refusal) toast(refusal)
      else void ask(true)
    },
    cancel: () => {
      if (state.is !== 'queued' && state.is !== 'running') return
      void cancelExecution(state.id).then(() => announce('Cancelling the review'), toastError)
    },
  }
}

/** There is a current review, so none needs to be asked for. */
function isThere(state: ReviewState): state is Extract<ReviewState, { id: string }> {
  if (state.is === 'none') return false
  return state.is !== 'ended' || (!state.moved && (state.end === 'ready' || state.end === 'not_ready'))
}

const said = ({ branch, state }: ReviewView): void =>
  announce(state === 'QUEUED' ? `Review of ${branch} queued` : `${branch} already has a review`)
