import type { ActivityItem, ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import css from './activity-list.module.css'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { laneOfExecution, marks, type Mark } from '../../components/bead/states.ts'
import { moneyText } from '../../components/bead/token-words.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { LineChange } from '../../ui/line-change.tsx'
import { elapsedText, exactText, sinceText } from '../../ui/text/time-text.ts'

const STEP = 50

/** The loom as a list, newest first. */
export function ActivityList({ project, view: { items, left, currency } }: { project: string; view: ActivityView }) {
  const [most, setMost] = useState(STEP)
  const rest = items.length - most
  const priced = items.some(({ costMicros }) => costMicros !== null)
  return (
    <section aria-label="Executions" className={css['section']}>
      <h2>
        Executions <span className={css['muted']}>{items.length}</span>
      </h2>
      <ul className={css['rows']}>
        {items.slice(0, most).map((item) => (
          <Row key={item.execution} project={project} item={item} currency={currency} priced={priced} />
        ))}
      </ul>
      {rest > 0 && <Button onClick={() => setMost(most + STEP)}>Show more ({rest} more)</Button>}
      {rest <= 0 && left && <p className={css['muted']}>There were more; these are the newest.</p>}
    </section>
  )
}

const kindWords: Record<ActivityItem['kind'], string> = { work: '', review: 'review', plan: 'plan' }

function markOf({ state, kind, isMerged }: ActivityItem): Mark {
  const mark = marks[laneOfExecution[state]]
  return state === 'COMPLETED' && kind === 'work' ? { ...mark, word: isMerged ? 'Merged' : 'Nothing to change' } : mark
}

type RowProps = { project: string; item: ActivityItem; currency: string; priced: boolean }

function Row({ project, item, currency, priced }: RowProps) {
  const now = useServerNow()
  const { bead, title, kind, detail, startedAt, endedAt, diff, tokens, costMicros, by } = item
  const at = endedAt ?? startedAt
  return (
    <li>
      <StateMark mark={markOf(item)} bare live={item.state === 'RUNNING'} />
      <span className={css['what']}>
        <Link to="/p/$project/b/$bead" params={{ project, bead }}>
          <span className={css['id']}>{bead}</span> {shown(title)}
        </Link>
        {detail !== '' && <span className={css['detail']}>{shown(detail)}</span>}
      </span>
      <span className={css['figures']}>
        {by !== undefined && <span title="Who asked for it">{shown(by)}</span>}
        {kindWords[kind] !== '' && <span>{kindWords[kind]}</span>}
        <span className={css['change']}>{diff !== null && <LineChange {...diff} short />}</span>
        <span className={css['tokens']}>{tokens > 0 && `${shortCount(tokens)} tok`}</span>
        {priced && <span className={css['cost']}>{costMicros !== null && moneyText(costMicros, currency)}</span>}
        <span className={`${css['took']} live-number`}>
          {startedAt !== null && elapsedText((endedAt ?? now) - startedAt)}
        </span>
        <span className={css['ago']} title={at === null ? undefined : exactText(at)}>
          {at !== null && sinceText(now - at)}
        </span>
      </span>
    </li>
  )
}
