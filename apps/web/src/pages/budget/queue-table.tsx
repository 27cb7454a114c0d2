import type { QueueForecast } from '@beadloom/core/api/project-budget-api.ts'
import css from './budget-page.module.css'
import { moneySpread, tokenSpread, UNKNOWN } from './budget-words.ts'
import { countText } from '../../ui/count-text.ts'
import { shown } from '../../ui/hostile-text.ts'

/** What a bead that waits will probably cost, by what completed beads of its type have cost. */
export function QueueTable({ queue: { types }, currency }: { queue: QueueForecast; currency: string }) {
  return (
    <section aria-labelledby="queue" className={css['section']}>
      <h2 id="queue">Beads that wait</h2>
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
              <tr key={type}>
                <th scope="row">{type === '' ? UNKNOWN : shown(type)}</th>
                <td>{countText(beads)}</td>
                <td>{countText(usual.tokens?.of ?? 0)}</td>
                <td>{tokenSpread(usual.tokens)}</td>
                <td>{moneySpread(usual.costMicros, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css['muted']}>
        The median and the 90th percentile of this project’s completed beads of the same type, all their executions
        included. The sums above take every bead at one of the two.
      </p>
    </section>
  )
}
