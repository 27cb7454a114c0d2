import type { QueueForecast, UsualUse } from '@beadloom/core/api/project-budget-api.ts'
import type { ReactNode } from 'react'
import css from './budget-page.module.css'
import { moneySpread, tokenSpread, UNKNOWN } from './budget-words.ts'
import { countText } from '../../ui/count-text.ts'
import { shown } from '../../ui/hostile-text.ts'

/** What each of those that wait will probably cost, by what others of its kind have cost. */
export function QueueTable({ queue: { types, reviews }, currency }: { queue: QueueForecast; currency: string }) {
  return (
    <section aria-labelledby="queue" className={css['section']}>
      <h2 id="queue">The queue</h2>
      <div className={css['wide']} tabIndex={0} role="group" aria-labelledby="queue">
        <table>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Waiting</th>
              <th scope="col">Completed</th>
              <th scope="col">Tokens of one</th>
              <th scope="col">Cost of one</th>
            </tr>
          </thead>
          <tbody>
            {types.map(({ type, beads, usual }) => (
              <Row
                key={type}
                name={type === '' ? UNKNOWN : shown(type)}
                count={beads}
                usual={usual}
                currency={currency}
              />
            ))}
            {reviews.count > 0 && (
              <Row name={<em>Reviews</em>} count={reviews.count} usual={reviews.usual} currency={currency} />
            )}
          </tbody>
        </table>
      </div>
      <p className={css['muted']}>
        The median and the 90th percentile of this project’s completed beads of the same type, with all that was used
        for them: plans, failed executions, reviews. For a review, those of its newest reviews. The sums above take each
        at one of the two.
      </p>
    </section>
  )
}

type RowProps = { name: ReactNode; count: number; usual: UsualUse; currency: string }

const Row = ({ name, count, usual, currency }: RowProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{countText(count)}</td>
    <td>{countText(usual.tokens?.of ?? 0)}</td>
    <td>{tokenSpread(usual.tokens)}</td>
    <td>{moneySpread(usual.costMicros, currency)}</td>
  </tr>
)
