import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { DismissDialog } from './dismiss-dialog.tsx'
import { issuesPrompt } from './issue-prompt.ts'
import { statusOf } from './issues.ts'
import { SendDialog } from './send-dialog.tsx'
import { useReviewCache } from '../use-reviews.ts'
import { changeBead, pressKey, reopenIssue } from '../../../api/endpoints.ts'
import { announce } from '../../../ui/announcer.tsx'
import { toast, toastError } from '../../../ui/toast.tsx'

export type IssueActions = {
  open: ReviewIssueView[]
  /** Selected issues that are still open; those fixed in the meantime are left out. */
  chosen: ReviewIssueView[]
  isSelected(issue: ReviewIssueView): boolean
  select(issues: readonly ReviewIssueView[], on: boolean): void
  toggle(issue: ReviewIssueView): void
  fix(issue: ReviewIssueView): void
  dismiss(issue: ReviewIssueView): void
  /** Undoes a dismissal. */
  reopen(issue: ReviewIssueView): void
  copy(issues: readonly ReviewIssueView[]): void
  send(): void
  dialog: ReactNode
}

/** A person's actions on the issues of a review. */
export function useIssueActions(review: ReviewView): IssueActions {
  const { issues, project, id } = review
  const keep = useReviewCache(project)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [asking, setAsking] = useState<{ what: 'dismiss'; issue: ReviewIssueView } | { what: 'send' } | null>(null)
  const close = useCallback(() => setAsking(null), [])
  const open = issues.filter((one) => statusOf(one) === 'open')
  const chosen = open.filter(({ number }) => selected.has(number))
  const isSelected = (issue: ReviewIssueView) => chosen.includes(issue)
  const select = (some: readonly ReviewIssueView[], on: boolean) =>
    setSelected((old) => {
      const next = new Set(old)
      for (const { number } of some)
        if (on) next.add(number)
        else next.delete(number)
      return next
    })

  const reopen = (issue: ReviewIssueView) => {
    if (statusOf(issue) !== 'dismissed') return toast('This issue is not dismissed')
    void reopenIssue(id, issue.number, pressKey()).then((view) => {
      keep(view)
      const now = view.issues.find(({ number }) => number === issue.number)
      toast(now && statusOf(now) === 'fixed' ? 'Marked as fixed again' : 'Issue reopened')
    }, toastError)
  }

  return {
    open,
    chosen,
    isSelected,
    select,
    toggle: (issue) => open.includes(issue) && select([issue], !isSelected(issue)),
    fix: (issue) => {
      const { bead } = issue
      if (statusOf(issue) !== 'open') return toast(`Already ${statusOf(issue)}`)
      if (bead === null) return toast('This issue has no bead')
      void changeBead(project, bead, 'done').then(() => {
        announce(`${bead} closed`)
        toast(`Fixed: ${bead} closed`, {
          action: { label: 'Undo', run: () => void changeBead(project, bead, 'open').catch(toastError) },
        })
      }, toastError)
    },
    dismiss: (issue) =>
      statusOf(issue) === 'dismissed' ? toast('Already dismissed') : setAsking({ what: 'dismiss', issue }),
    reopen,
    copy: (some) => {
      const said = some.length === 1 ? 'Copied as prompt' : `${some.length} issues copied as prompt`
      void navigator.clipboard.writeText(issuesPrompt(some, review)).then(() => toast(said), toastError)
    },
    send: () => (chosen.length === 0 ? toast('Select issues first (x)') : setAsking({ what: 'send' })),
    dialog:
      asking?.what === 'dismiss' ? (
        <DismissDialog
          review={id}
          issue={asking.issue}
          onDone={(view) => {
            keep(view)
            const issue = view.issues.find(({ number }) => number === asking.issue.number)
            toast('Dismissed. Later reviews will not report it', {
              ...(issue && { action: { label: 'Undo', run: () => reopen(issue) } }),
            })
          }}
          onClose={close}
        />
      ) : asking?.what === 'send' ? (
        <SendDialog review={review} issues={chosen} onSent={() => setSelected(new Set())} onClose={close} />
      ) : null,
  }
}
