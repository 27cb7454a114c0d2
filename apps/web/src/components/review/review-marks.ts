import { Ban, CircleCheck, CircleX, FileQuestion, ListChecks, ScanSearch } from 'lucide-react'
import { marks, type Mark } from '../bead/states.ts'
import type { ReviewVerdict } from '@beadloom/core/review/review.ts'
import type { ReviewEnd, ReviewState } from './review-state.ts'
import type { IssueStatus } from './issues/issues.ts'

const ends: Record<ReviewEnd, Mark> = {
  ready: { word: 'Ready', icon: CircleCheck, tone: 'completed', text: '✓' },
  not_ready: { word: 'Not ready', icon: ListChecks, tone: 'blocked', text: '◎' },
  unparseable: { word: 'No usable answer', icon: FileQuestion, tone: 'failed', text: '✕' },
  failed: { word: 'Review failed', icon: CircleX, tone: 'failed', text: '✕' },
  cancelled: { word: 'Cancelled', icon: Ban, tone: 'queued', text: '⊘' },
}

/** Shape, word and colour of the state of a review. */
export function reviewMark(state: ReviewState): Mark {
  switch (state.is) {
    case 'none':
      return { word: 'Not reviewed', icon: ScanSearch, tone: 'queued', text: '○' }
    case 'queued':
      return { ...marks.queued, word: state.text }
    case 'running':
      return { ...marks.running, word: 'Reviewing', tone: 'review' }
    case 'ended':
      return ends[state.end]
  }
}

/** Shape, word and colour of a verdict. */
export const verdictMark = (verdict: ReviewVerdict): Mark => ends[verdict]

export const statusMarks: Record<IssueStatus, Mark> = {
  open: marks.open,
  fixed: { ...marks.completed, word: 'Fixed' },
  dismissed: { ...marks.cancelled, word: 'Dismissed' },
}
