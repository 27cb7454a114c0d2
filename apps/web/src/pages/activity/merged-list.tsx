import type { ActivityItem, ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import css from './activity-list.module.css'
import { moneyText } from '../../components/bead/token-words.ts'
import { Button } from '../../ui/button.tsx'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { LineChange } from '../../ui/line-change.tsx'
import { exactText, shortClockText } from '../../ui/text/time-text.ts'

/** The others are one press away. */
const MOST = 12

/** Beads newly on the work branch, each once, newest first. */
export function MergedList({ project, view: { items, currency } }: { project: string; view: ActivityView }) {
  const [all, setAll] = useState(false)
  const merged = mergedIn(items)
  if (merged.length === 0) return null
  return (
    <section aria-label="Merged" className={css['section']}>
      <h2>
        Merged <span className={css['muted']}>{merged.length}</span>
      </h2>
      <ul className={css['rows']}>
        {merged.slice(0, all ? undefined : MOST).map(({ bead, title, diff, tokens, costMicros, endedAt }) => (
          <li key={bead}>
            <span className={css['what']}>
              <Link to="/p/$project/b/$bead" params={{ project, bead }} search={{ tab: 'diff' }}>
                <span className={css['id']}>{bead}</span> {shown(title)}
              </Link>
            </span>
            <span className={css['figures']}>
              <span className={css['change']}>{diff !== null && <LineChange {...diff} short />}</span>
              <span className={css['cost']}>
                {costMicros === null ? `${shortCount(tokens)} tok` : moneyText(costMicros, currency)}
              </span>
              {endedAt !== null && <span title={exactText(endedAt)}>{shortClockText(endedAt)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {!all && merged.length > MOST && (
        <Button onClick={() => setAll(true)}>Show all ({merged.length - MOST} more)</Button>
      )}
    </section>
  )
}

export function mergedIn(items: readonly ActivityItem[]): ActivityItem[] {
  const seen = new Set<string>()
  return items
    .filter(({ isMerged }) => isMerged)
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))
    .filter(({ bead }) => !seen.has(bead) && seen.add(bead))
}
