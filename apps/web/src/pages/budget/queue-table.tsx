import type { QueueForecast, UsualUse } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { ReactNode } from 'react'
import css from './budget-page.module.css'
import { moneySpread, tokenSpread, UNKNOWN } from './budget-words.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import { shown } from '../../ui/text/hostile-text.ts'

/** The probable cost of each waiting bead, judged by others of its type. */
export function QueueTable({ queue: { types, reviews }, currency }: { queue: QueueForecast; currency: string }) {
  const rows: Row[] = types.map(({ type, beads, usual }) => ({
    key: `type ${type}`,
    name: type === '' ? UNKNOWN : shown(type),
    count: beads,
    usual,
  }))
  if (reviews.count > 0)
    rows.push({ key: 'reviews', name: <em>Reviews</em>, count: reviews.count, usual: reviews.usual })
  return (
    <section aria-labelledby="queue" className={css['section']}>
      <h2 id="queue">The queue</h2>
      <FactTable label={{ by: 'queue' }} columns={columnsOf(currency)} rows={rows} keyOf={({ key }) => key} />
      <p className={css['muted']}>
        The median and the 90th percentile of this project’s completed beads of the same type, including their plans,
        failed executions and reviews. A review is estimated from the newest reviews. Of the two sums above, one adds up
        the medians, the other the 90th percentiles.
      </p>
    </section>
  )
}

type Row = { key: string; name: ReactNode; count: number; usual: UsualUse }

const columnsOf = (currency: string): Column<Row>[] => [
  { title: 'Type', cell: ({ name }) => name },
  { title: 'Waiting', number: true, cell: ({ count }) => countText(count) },
  { title: 'Completed', number: true, cell: ({ usual }) => countText(usual.tokens?.of ?? 0) },
  { title: 'Tokens of one', number: true, cell: ({ usual }) => tokenSpread(usual.tokens) },
  { title: 'Cost of one', number: true, cell: ({ usual }) => moneySpread(usual.costMicros, currency) },
]
