import type { LimitView } from '@beadloom/core/api/budgets/budget-api.ts'
import css from './limit-meter.module.css'
import { limitFigures, percentUsed } from './limit-words.ts'

type Props = { limit: LimitView }

const look = ({ near, reached }: LimitView): string => (reached ? css['reached'] : near ? css['near'] : '') ?? ''

/** The used part of a limit, for a card; the colour only repeats the numbers. */
export const LimitFigure = ({ limit }: Props) => (
  <span className={`live-number ${look(limit)}`} title={limit.text}>
    {limitFigures(limit)}
  </span>
)

/** The same with a bar, for roomier places. */
export const LimitMeter = ({ limit }: Props) => (
  <span className={`live-number ${look(limit)}`}>
    {limitFigures(limit)}
    <span
      className={css['bar']}
      role="meter"
      aria-label="Used of the limit"
      aria-valuenow={Math.min(100, percentUsed(limit))}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={limit.text}
    >
      <span style={{ inlineSize: `${Math.min(100, percentUsed(limit))}%` }} />
    </span>
  </span>
)
