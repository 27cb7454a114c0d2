import type { ActivitySum } from '@beadloom/core/activity/activity-sum.ts'
import css from './activity-figures.module.css'
import tones from '../../components/bead/tones.module.css'
import { moneyText } from '../../components/bead/token-words.ts'
import type { Tone } from '../../components/bead/states.ts'
import { countText, shortCount } from '@beadloom/core/text/count-text.ts'

/** Each figure with its word. Zeros are left out, except for merged beads. */
export function ActivityFigures({ sum, currency }: { sum: ActivitySum; currency: string }) {
  const states: [count: number, word: string, tone: Tone][] = [
    [sum.merged, sum.merged === 1 ? 'bead merged' : 'beads merged', 'completed'],
    [sum.running, 'running', 'running'],
    [sum.failed, 'failed', 'failed'],
    [sum.blocked, 'blocked', 'blocked'],
    [sum.timedOut, 'timed out', 'timeout'],
  ]
  return (
    <dl className={css['figures']}>
      {states.map(([count, word, tone], at) =>
        count === 0 && at > 0 ? null : (
          <div key={word} className={count === 0 ? undefined : tones[tone]}>
            <dt>{word}</dt>
            <dd className={css['state']}>{countText(count)}</dd>
          </div>
        ),
      )}
      <div>
        <dt>tokens</dt>
        <dd>{shortCount(sum.tokens)}</dd>
      </div>
      {sum.costMicros !== null && (
        <div>
          <dt>{sum.isPartlyPriced ? 'cost, where priced' : 'cost'}</dt>
          <dd>{moneyText(sum.costMicros, currency)}</dd>
        </div>
      )}
    </dl>
  )
}
