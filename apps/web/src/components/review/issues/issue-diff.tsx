import type { ReviewIssueView } from '@beadloom/core/api/reviews/review-api.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import css from './issue-diff.module.css'
import { linesText } from './issues.ts'
import { patchRows, rowsOfLines, windowAround } from './patch-rows.ts'
import { SeverityMark } from './severity.tsx'
import { getDiff, getPatch } from '../../../api/endpoints.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { LineChange } from '../../../ui/line-change.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'

/** More would be slow as plain elements. */
const MOST_ROWS = 600

type Props = { review: string; issue: ReviewIssueView; onClose: () => void }

/** The changes to an issue's file as the review saw them, at the issue's lines. */
export function IssueDiff({ review, issue, onClose }: Props) {
  const { file_path: path, line_numbers: lines } = issue
  const files = useQuery({ queryKey: ['diff', review], queryFn: ({ signal }) => getDiff(review, signal) })
  const changed = files.data?.files.find((one) => one.path === path)
  const binary = changed !== undefined && changed.added === null && changed.removed === null
  const patch = useQuery({
    queryKey: ['patch', review, path],
    queryFn: ({ signal }) => getPatch(review, path, signal),
    enabled: changed !== undefined && !binary,
  })
  const error = files.error ?? patch.error
  return (
    <section className={css['diff']} aria-label={`Diff at issue ${issue.number}`}>
      <header className={css['head']}>
        <code className={css['path']}>{shown(path)}</code>
        {changed && !binary && (
          <span className={css['sum']}>
            <LineChange added={changed.added ?? 0} removed={changed.removed ?? 0} />
          </span>
        )}
        <IconButton label="Close diff" onClick={onClose}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      </header>
      {error ? (
        <div className={css['note']} role="alert">
          <p>{error.message}</p>
          <Button onClick={() => void (files.error ? files : patch).refetch()}>Try again</Button>
        </div>
      ) : !files.data ? null : changed === undefined ? (
        <p className={css['note']}>
          The reviewed change does not touch this file. The issue is about code around it
          {lines.length === 0 ? '' : `: ${lines.length === 1 ? 'line' : 'lines'} ${linesText(lines)}`}.
        </p>
      ) : binary ? (
        <p className={css['note']}>The file is binary.</p>
      ) : (
        patch.data && <Patch text={patch.data.patch} cut={patch.data.truncated} issue={issue} />
      )}
    </section>
  )
}

function Patch({ text, cut, issue }: { text: string; cut: boolean; issue: ReviewIssueView }) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => patchRows(text), [text])
  const at = useMemo(() => rowsOfLines(rows, issue.line_numbers), [rows, issue.line_numbers])
  const first = at[0]
  const last = at.at(-1)
  const marked = new Set(at)
  const { from, to } = windowAround(rows.length, first ?? 0, MOST_ROWS)
  useEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>('[data-first]')
    const pane = scroller.current
    if (row && pane) pane.scrollTop = row.offsetTop - pane.offsetTop - pane.clientHeight / 3
    else if (pane) pane.scrollTop = 0
  }, [issue.number, rows])
  return (
    <>
      {issue.line_numbers.length > 0 && first === undefined && (
        <p className={css['note']}>
          {issue.line_numbers.length === 1 ? 'Line' : 'Lines'} {linesText(issue.line_numbers)}{' '}
          {issue.line_numbers.length === 1 ? 'is' : 'are'} not in the diff.
        </p>
      )}
      <div ref={scroller} className={css['patch']} tabIndex={0} role="group" aria-label="Patch">
        {from > 0 && <p className={css['cut']}>{counted(from, 'line')} above not shown.</p>}
        {rows.slice(from, to).map((row, index) => {
          const place = from + index
          return (
            <div key={place} className={css['line']}>
              <div
                data-first={place === first || undefined}
                className={`${css['row']} ${css[row.kind]} ${marked.has(place) ? css['marked'] : ''}`}
              >
                <span className={css['number']}>{row.line ?? ''}</span>
                <span className={css['code']}>{shown(row.text)}</span>
              </div>
              {place === last && (
                <p className={css['issue']}>
                  <SeverityMark severity={issue.severity} /> {shown(issue.title)}
                </p>
              )}
            </div>
          )
        })}
        {(to < rows.length || cut) && <p className={css['cut']}>The patch continues; the rest is not shown.</p>}
      </div>
    </>
  )
}
