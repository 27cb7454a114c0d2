import type { ReviewIssueView } from '@beadloom/core/api/reviews/review-api.ts'
import { Link } from '@tanstack/react-router'
import { Ban, Check, Copy, FileDiff, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import css from './issue-item.module.css'
import { placeText, statusOf } from './issues.ts'
import { statusMarks } from '../review-marks.ts'
import { SafeText } from '../safe-text.tsx'
import { SeverityMark } from './severity.tsx'
import { Chip } from '../../bead/chip.tsx'
import { StateMark } from '../../bead/state-mark.tsx'
import { marks } from '../../bead/states.ts'
import { useLanes } from '../../bead/use-lanes.ts'
import { IconButton } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'

/** Longer descriptions are cut until a person opens them. */
const SHORT = 600

type Props = {
  issue: ReviewIssueView
  project: string
  current: boolean
  selected: boolean
  /** Grouped by file, the place shows only the lines. */
  inFile: boolean
  onCurrent: () => void
  onSelect: () => void
  onDiff: () => void
  onFix: () => void
  onDismiss: () => void
  onReopen: () => void
  onCopy: () => void
  /** The diff, if there is no room for it beside the list. */
  children?: ReactNode
}

export function IssueItem({ issue, project, current, selected, inFile, children, ...on }: Props) {
  const { number, title, severity, description, outside_diff, bead, beadStatus, dismissed } = issue
  const [whole, setWhole] = useState(false)
  const lane = useLanes(project)
  const status = statusOf(issue)
  const open = status === 'open'
  const cut = !whole && description.length > SHORT
  const place =
    inFile && issue.line_numbers.length > 0 ? placeText(issue).slice(issue.file_path.length + 1) : placeText(issue)
  return (
    <li>
      <article
        data-issue={number}
        tabIndex={-1}
        aria-labelledby={`issue-${number}`}
        aria-current={current || undefined}
        className={`${css['issue']} ${open ? '' : css['over']}`}
        onFocus={() => !current && on.onCurrent()}
      >
        <div className={css['head']}>
          <input
            type="checkbox"
            className={css['select']}
            checked={selected}
            disabled={!open}
            onChange={on.onSelect}
            aria-label={`Select issue ${number}: ${shown(title)}`}
          />
          <SeverityMark severity={severity} />
          <h3 id={`issue-${number}`} className={css['title']}>
            {shown(title)}
          </h3>
          <span className={css['status']}>
            <StateMark mark={statusMarks[status]} />
          </span>
        </div>
        <div className={css['where']}>
          <button type="button" className={css['place']} onClick={on.onDiff} title={shown(placeText(issue))}>
            <span className="visually-hidden">Open in the diff: </span>
            {inFile && issue.line_numbers.length > 0
              ? `${issue.line_numbers.length === 1 ? 'line' : 'lines'} ${place}`
              : shown(place)}
          </button>
          {outside_diff && (
            <Chip tone="queued" title="About lines that the reviewed change does not touch.">
              outside the diff
            </Chip>
          )}
          {bead !== null && (
            <Link to="/p/$project/b/$bead" params={{ project, bead }} className={css['bead']}>
              <StateMark mark={marks[lane(bead, beadStatus ?? 'open') ?? 'open']} bare />
              {shown(bead)}
            </Link>
          )}
          <span className={css['actions']}>
            <IconButton label="Open in the diff" keys="o" onClick={on.onDiff}>
              <FileDiff size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <IconButton
              needs="runner"
              label="Mark as fixed"
              keys="f"
              blockedBy={open ? (bead === null ? 'no bead was filed for it' : null) : `already ${status}`}
              onClick={on.onFix}
            >
              <Check size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            {dismissed === null ? (
              <IconButton needs="runner" label="Dismiss" keys="d" onClick={on.onDismiss}>
                <Ban size={16} strokeWidth={1.5} aria-hidden />
              </IconButton>
            ) : (
              <IconButton needs="runner" label="Reopen" keys="u" onClick={on.onReopen}>
                <Undo2 size={16} strokeWidth={1.5} aria-hidden />
              </IconButton>
            )}
            <IconButton label="Copy as prompt" keys="y" onClick={on.onCopy}>
              <Copy size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </span>
        </div>
        {dismissed !== null && dismissed !== 'dismissed' && <p className={css['why']}>Dismissed: {shown(dismissed)}</p>}
        {(open || current) && (
          <div className={css['text']}>
            <SafeText text={cut ? `${description.slice(0, SHORT).toWellFormed()}…` : description} />
            {(cut || whole) && (
              <button type="button" className={css['more']} onClick={() => setWhole(!whole)}>
                {whole ? 'Show less' : 'Show all'}
              </button>
            )}
          </div>
        )}
        {children}
      </article>
    </li>
  )
}
