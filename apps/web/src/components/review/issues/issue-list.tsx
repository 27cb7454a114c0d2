import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { useEffect, useMemo, useRef } from 'react'
import { IssueBar } from './issue-bar.tsx'
import { IssueDiff } from './issue-diff.tsx'
import { IssueItem } from './issue-item.tsx'
import css from './issue-list.module.css'
import { groupIssues, stepIssue, type Grouping, type IssueGroup } from './issues.ts'
import type { ReviewSearch } from '../review-search.ts'
import { severityWords } from './severity.tsx'
import { useIssueActions } from './use-issue-actions.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useKeys } from '../../../ui/keys/keys.ts'
import { useMedia } from '../../../ui/use-media.ts'

type Props = { review: ReviewView; search: ReviewSearch; onSearch: (patch: ReviewSearch) => void }

/** The issues of a review with their actions, and the diff at the current issue. */
export function IssueList({ review, search, onSearch }: Props) {
  const { issues, project, id } = review
  const by: Grouping = search.by ?? 'severity'
  const beside = useMedia('(min-width: 1200px)')
  const actions = useIssueActions(review)
  const groups = useMemo(() => groupIssues(issues, by), [issues, by])
  const current = issues.find(({ number }) => number === search.issue) ?? null
  const { list, go } = useWayTo(search.issue, (issue) => onSearch({ issue }))

  const diff = ({ number }: ReviewIssueView) =>
    onSearch(search.show === 'diff' && search.issue === number ? { show: undefined } : { show: 'diff', issue: number })
  const onCurrent = (run: (issue: ReviewIssueView) => void) => () =>
    current ? run(current) : go(stepIssue(groups, undefined, 1))
  const { chosen, open } = actions
  useKeys('Review', [
    { keys: ['j'], does: 'Next issue', run: () => go(stepIssue(groups, search.issue, 1)) },
    { keys: ['k'], does: 'Previous issue', run: () => go(stepIssue(groups, search.issue, -1)) },
    { keys: ['o'], does: 'Open or close the diff at the issue', run: onCurrent(diff) },
    { keys: ['f'], does: 'Mark as fixed and close its bead', run: onCurrent(actions.fix) },
    { keys: ['d'], does: 'Dismiss with a reason', run: onCurrent(actions.dismiss) },
    { keys: ['u'], does: 'Reopen a dismissed issue', run: onCurrent(actions.reopen) },
    { keys: ['x'], does: 'Select', run: onCurrent(actions.toggle) },
    {
      keys: ['y'],
      does: 'Copy the selected issues, or this one, as a prompt',
      run: () => actions.copy(chosen.length > 0 ? chosen : current ? [current] : open),
    },
    { keys: ['Mod+Enter'], does: 'Send the selected issues to the agent', run: actions.send },
  ])

  const pane = current && search.show === 'diff' && (
    <IssueDiff review={id} issue={current} onClose={() => onSearch({ show: undefined })} />
  )
  return (
    <div className={`${css['split']} ${pane && beside ? css['beside'] : ''}`}>
      <div ref={list} className={css['list']}>
        <IssueBar
          by={by}
          onGroup={(next) => onSearch({ by: next === 'file' ? 'file' : undefined })}
          actions={actions}
        />
        {groups.map((group) => (
          <section key={group.title} aria-label={titleOf(group, by)}>
            <h2 className={by === 'file' ? css['file'] : css['severity']}>
              {titleOf(group, by)} <span className={css['count']}>{group.issues.length}</span>
            </h2>
            <ul className={css['issues']}>
              {group.issues.map((issue) => (
                <IssueItem
                  key={issue.number}
                  issue={issue}
                  project={project}
                  current={issue === current}
                  selected={actions.isSelected(issue)}
                  inFile={by === 'file'}
                  onCurrent={() => onSearch({ issue: issue.number })}
                  onSelect={() => actions.toggle(issue)}
                  onDiff={() => diff(issue)}
                  onFix={() => actions.fix(issue)}
                  onDismiss={() => actions.dismiss(issue)}
                  onReopen={() => actions.reopen(issue)}
                  onCopy={() => actions.copy([issue])}
                >
                  {issue === current && pane && !beside && <div className={css['within']}>{pane}</div>}
                </IssueItem>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {pane && beside && <div className={css['aside']}>{pane}</div>}
      {actions.dialog}
    </div>
  )
}

const titleOf = ({ title, issues: [first] }: IssueGroup, by: Grouping): string =>
  by === 'severity' && first ? severityWords[first.severity].word : shown(title)

/** Moves the focus to an issue, once the URL names it. */
function useWayTo(issue: number | undefined, onIssue: (issue: number) => void) {
  const list = useRef<HTMLDivElement>(null)
  const linked = useRef(issue)
  /** The issue that a key moved to, until it has the focus. */
  const wanted = useRef<number | null>(null)
  const item = (number: number) => list.current?.querySelector<HTMLElement>(`[data-issue="${number}"]`)
  useEffect(() => {
    // A link to an issue scrolls to it; the focus stays where it was.
    if (linked.current !== undefined) item(linked.current)?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (wanted.current === null) return
    const found = item(wanted.current)
    wanted.current = null
    found?.focus({ preventScroll: true })
    found?.scrollIntoView({ block: 'nearest' })
  }, [issue])
  const go = (number: number | undefined) => {
    if (number === undefined) return
    if (number === issue) return item(number)?.focus()
    wanted.current = number
    onIssue(number)
  }
  return { list, go }
}
