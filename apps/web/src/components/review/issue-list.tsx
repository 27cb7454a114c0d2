import type { ReviewIssueView, ReviewView } from '@beadloom/core/api.ts'
import { Copy, Send } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { DismissDialog } from './dismiss-dialog.tsx'
import { IssueDiff } from './issue-diff.tsx'
import { IssueItem } from './issue-item.tsx'
import css from './issue-list.module.css'
import { issuesPrompt } from './issue-prompt.ts'
import { groupIssues, statusOf, stepIssue, type Grouping } from './issues.ts'
import type { ReviewSearch } from './review-search.ts'
import { SendDialog } from './send-dialog.tsx'
import { severityWords } from './severity.tsx'
import { useReviewCache } from './use-reviews.ts'
import { changeBead } from '../../api/endpoints.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { useKeys } from '../../ui/keys.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useMedia } from '../../ui/use-media.ts'

type Props = { review: ReviewView; search: ReviewSearch; onSearch: (patch: ReviewSearch) => void }

/** The issues of a review, what can be done about them, and the diff at the one that is looked at. */
export function IssueList({ review, search, onSearch }: Props) {
  const { issues, project, id } = review
  const by: Grouping = search.by ?? 'severity'
  const beside = useMedia('(min-width: 1200px)')
  const list = useRef<HTMLDivElement>(null)
  const keep = useReviewCache(project)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [asking, setAsking] = useState<{ what: 'dismiss'; issue: ReviewIssueView } | { what: 'send' } | null>(null)
  /** The issue that a key went to, until it has the focus. */
  const wanted = useRef<number | null>(null)

  const groups = useMemo(() => groupIssues(issues, by), [issues, by])
  const current = issues.find(({ number }) => number === search.issue) ?? null
  const chosen = issues.filter((one) => selected.has(one.number) && statusOf(one) === 'open')
  const open = issues.filter((one) => statusOf(one) === 'open')
  const close = useCallback(() => setAsking(null), [])

  const linked = useRef(search.issue)
  useEffect(() => {
    // A link to an issue shows it; the focus stays with whoever opened it.
    if (linked.current !== undefined)
      list.current?.querySelector(`[data-issue="${linked.current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (wanted.current === null) return
    const item = list.current?.querySelector<HTMLElement>(`[data-issue="${wanted.current}"]`)
    wanted.current = null
    item?.focus({ preventScroll: true })
    item?.scrollIntoView({ block: 'nearest' })
  }, [search.issue])

  const go = (number: number | undefined) => {
    if (number === undefined) return
    wanted.current = number
    if (number === search.issue) list.current?.querySelector<HTMLElement>(`[data-issue="${number}"]`)?.focus()
    else onSearch({ issue: number })
  }
  const select = (numbers: readonly number[], on: boolean) =>
    setSelected((old) => {
      const next = new Set(old)
      for (const number of numbers)
        if (on) next.add(number)
        else next.delete(number)
      return next
    })
  const toggle = ({ number }: ReviewIssueView) => select([number], !selected.has(number))
  const diff = ({ number }: ReviewIssueView) =>
    onSearch(search.show === 'diff' && search.issue === number ? { show: undefined } : { show: 'diff', issue: number })
  const copy = (some: readonly ReviewIssueView[]) =>
    void navigator.clipboard
      .writeText(issuesPrompt(some, review))
      .then(
        () => toast(some.length === 1 ? 'Copied as a prompt' : `${some.length} issues copied as a prompt`),
        toastError,
      )
  const fix = (issue: ReviewIssueView) => {
    const { bead } = issue
    if (statusOf(issue) !== 'open') return toast(`It is ${statusOf(issue)} already`)
    if (bead === null) return toast('No bead was filed for it')
    void changeBead(project, bead, 'done').then(() => {
      announce(`${bead} closed`)
      toast(`Fixed: ${bead} closed`, {
        action: { label: 'Undo', run: () => void changeBead(project, bead, 'open').catch(toastError) },
      })
    }, toastError)
  }
  const dismiss = (issue: ReviewIssueView) =>
    statusOf(issue) === 'dismissed' ? toast('It is dismissed already') : setAsking({ what: 'dismiss', issue })
  const send = () => (chosen.length === 0 ? toast('Select issues first (x)') : setAsking({ what: 'send' }))
  const onCurrent = (run: (issue: ReviewIssueView) => void) => () =>
    current ? run(current) : go(stepIssue(groups, undefined, 1))

  useKeys('Review', [
    { keys: ['j'], does: 'Next issue', run: () => go(stepIssue(groups, search.issue, 1)) },
    { keys: ['k'], does: 'Previous issue', run: () => go(stepIssue(groups, search.issue, -1)) },
    { keys: ['o'], does: 'Open or close the diff at the issue', run: onCurrent(diff) },
    { keys: ['f'], does: 'Mark as fixed: its bead is closed', run: onCurrent(fix) },
    { keys: ['d'], does: 'Dismiss with a reason', run: onCurrent(dismiss) },
    { keys: ['x'], does: 'Select', run: onCurrent((issue) => statusOf(issue) === 'open' && toggle(issue)) },
    {
      keys: ['y'],
      does: 'Copy as a prompt: what is selected, else the issue',
      run: () => copy(chosen.length > 0 ? chosen : current ? [current] : open),
    },
    { keys: ['Mod+Enter'], does: 'Send what is selected to the agent', run: send },
  ])

  const pane = current && search.show === 'diff' && (
    <IssueDiff review={id} issue={current} onClose={() => onSearch({ show: undefined })} />
  )
  return (
    <div className={`${css['split']} ${pane && beside ? css['beside'] : ''}`}>
      <div ref={list} className={css['list']}>
        <div className={css['bar']} role="toolbar" aria-label="Issues">
          <div className={css['by']} role="group" aria-label="Group by">
            {(['severity', 'file'] as const).map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={by === one}
                onClick={() => onSearch({ by: one === 'file' ? 'file' : undefined })}
              >
                By {one}
              </button>
            ))}
          </div>
          {open.length > 0 && (
            <Button
              look="quiet"
              onClick={() =>
                select(
                  open.map(({ number }) => number),
                  chosen.length < open.length,
                )
              }
            >
              {chosen.length < open.length ? `Select all ${open.length} open` : 'Select none'}
            </Button>
          )}
          <span className={css['grow']} role="status">
            {chosen.length > 0 && `${chosen.length} selected`}
          </span>
          {chosen.length > 0 && (
            <>
              <Button onClick={() => copy(chosen)} icon={<Copy size={16} strokeWidth={1.5} aria-hidden />}>
                Copy as prompt
              </Button>
              <Button look="primary" onClick={send} icon={<Send size={16} strokeWidth={1.5} aria-hidden />}>
                Send to the agent
              </Button>
            </>
          )}
        </div>
        {groups.map(({ title, issues: own }) => (
          <section key={title} aria-label={by === 'severity' ? severityTitle(own[0]) : shown(title)}>
            <h2 className={by === 'file' ? css['file'] : css['severity']}>
              {by === 'severity' ? severityTitle(own[0]) : shown(title)}{' '}
              <span className={css['count']}>{own.length}</span>
            </h2>
            <ul className={css['issues']}>
              {own.map((issue) => (
                <IssueItem
                  key={issue.number}
                  issue={issue}
                  project={project}
                  current={issue === current}
                  selected={selected.has(issue.number) && statusOf(issue) === 'open'}
                  inFile={by === 'file'}
                  onCurrent={() => onSearch({ issue: issue.number })}
                  onSelect={() => toggle(issue)}
                  onDiff={() => diff(issue)}
                  onFix={() => fix(issue)}
                  onDismiss={() => dismiss(issue)}
                  onCopy={() => copy([issue])}
                >
                  {issue === current && pane && !beside && <div className={css['within']}>{pane}</div>}
                </IssueItem>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {pane && beside && <div className={css['aside']}>{pane}</div>}
      {asking?.what === 'dismiss' && <DismissDialog review={id} issue={asking.issue} onDone={keep} onClose={close} />}
      {asking?.what === 'send' && (
        <SendDialog review={review} issues={chosen} onSent={() => setSelected(new Set())} onClose={close} />
      )}
    </div>
  )
}

const severityTitle = (issue: ReviewIssueView | undefined): string =>
  issue === undefined ? '' : severityWords[issue.severity].word
