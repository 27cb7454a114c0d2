import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import css from './day-bars.module.css'
import { costText, dayName } from './budget-words.ts'
import { counted, shortCount } from '@beadloom/core/text/count-text.ts'

/** A bar for each day. The list itself has the figures, and so does the table by days. */
export function DayBars({ days, currency }: { days: BudgetView['lastDays']; currency: string }) {
  const most = Math.max(0, ...days.map(({ use }) => tokensOf(use)))
  return (
    <section aria-labelledby="days" className={css['section']}>
      <h2 id="days">
        Last {days.length} days{' '}
        <span className={css['most']}>
          {days[0] && dayName(days[0].day)} to today, at most {shortCount(most)} tokens a day
        </span>
      </h2>
      <ol className={css['bars']}>
        {days.map(({ day, use }, at) => {
          const tokens = tokensOf(use)
          const text = `${dayName(day)}: ${counted(tokens, 'token')}, ${costText(use, currency)}`
          return (
            <li key={day} className={css['day']} title={text}>
              <span className="visually-hidden">{text}</span>
              <span className={css['space']} aria-hidden>
                <span
                  className={at === days.length - 1 ? `${css['bar']} ${css['today']}` : css['bar']}
                  style={{ blockSize: most === 0 ? 0 : `${(tokens / most) * 100}%`, minBlockSize: tokens > 0 ? 2 : 0 }}
                />
              </span>
              <span className={css['name']} aria-hidden>
                {String(Number(day.slice(8)))}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
