import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { useCallback, useState } from 'react'
import { reviewRefusal, type ReviewState } from './review-state.ts'
import { useReviewCache, useTargetReview, type TargetReview } from './use-reviews.ts'
import { askReview, cancelExecution, pressKey } from '../../api/endpoints.ts'
import { announce } from '../../ui/announcer.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

export type ReviewCommands = TargetReview & {
  /** The reason why no review can be asked for now, or null. */
  refusal: string | null
  busy: boolean
  /** The review of the last press, new or existing; null before the first press. */
  asked: string | null
  /** Asks for a review; if one of the same commit exists, opens that. */
  press(): void
  /** Asks for a new review, even of a commit that was reviewed. */
  again(): void
  cancel(): void
}

type Target = {
  project: string
  /** Null: the work branch. */
  bead: string | null
  /** The newest execution of the bead, if known; not needed for the work branch. */
  work?: ExecutionView | null | undefined
  /** The reason why the project cannot run anything, or null. */
  problem: string | null
  /** Opens a review. */
  open: (id: string) => void
}

/**
 * Asks for a review only once: one press is one request with one key, and a second press finds the first one's review.
 */
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

/** Whether there is a current review, so that none needs to be asked for. */
function isThere(state: ReviewState): state is Extract<ReviewState, { id: string }> {
  if (state.is === 'none') return false
  return state.is !== 'ended' || (!state.moved && (state.end === 'ready' || state.end === 'not_ready'))
}

const said = ({ branch, state }: ReviewView): void =>
  announce(state === 'QUEUED' ? `Review of ${branch} queued` : `${branch} already has a review`)
