import type { BudgetView, UsualUse } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { UseAmounts } from '@beadloom/core/api/budgets/token-use-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import type { ReactNode } from 'react'
import css from './budget-figures.module.css'
import { UNKNOWN, costNote, costText, moneySpread, partText, shareText, tokenSpread } from './budget-words.ts'
import { countText, counted, shortCount } from '@beadloom/core/text/count-text.ts'

/** The most wanted figures. `perDay`: the project's limit of tokens per day; null: none. */
export function BudgetFigures({ view, perDay }: { view: BudgetView; perDay: number | null }) {
  const { today, week, hour, all, retries, merged, queue, currency, days } = view
  const period = days === 1 ? 'today' : `in ${days} days`
  // People ask for money first, if prices are known.
  const priced = week.costMicros !== null || all.costMicros !== null
  const used = (
    use: UseAmounts,
    { per = '', of = null, note }: { per?: string; of?: number | null; note?: string },
  ) => (
    <Figures
      priced={priced}
      money={costText(use, currency, per)}
      tokens={`${shortCount(tokensOf(use))}${of === null ? '' : ` of ${shortCount(of)}`} tokens${per}`}
      inFull={counted(tokensOf(use), 'token')}
      note={[note, (priced ? costNote(use) : nothingUsed(use)) ?? countCalls(use)].filter(Boolean).join(' · ')}
    />
  )
  // Without money all figures are tokens, and the word would break a range over two lines.
  const unit = priced ? ' tokens' : ''
  return (
    <>
      <dl className={css['figures']}>
        <Figure name="Today">{used(today, { of: perDay })}</Figure>
        <Figure name="Last 7 days">{used(week, {})}</Figure>
        <Figure name="Burn, last 60 minutes">{used(hour, { per: '/h' })}</Figure>
        <Figure name={`Retries ${period}`}>
          {used(retries, { note: `${shareText(retries, all)} of all tokens` })}
        </Figure>
        <Figure name={priced ? 'Price of a merged bead' : 'Tokens of a merged bead'}>
          <Figures
            priced={priced}
            money={moneySpread(merged.usual.costMicros, currency)}
            tokens={`${tokenSpread(merged.usual.tokens)}${unit}`}
            note={mergedNote(view.merged, period)}
          />
        </Figure>
        <Figure name={priced ? 'Queue forecast' : 'Tokens of the queue'}>
          <Figures
            priced={priced}
            money={moneySpread(queue.costMicros, currency)}
            tokens={`${tokenSpread(queue.tokens)}${unit}`}
            note={queueNote(view)}
          />
        </Figure>
      </dl>
      {!priced && (
        <p className={css['unpriced']}>No prices are known for these models. Prices can be set in config.json.</p>
      )}
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css['figure']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type Shown = { priced: boolean; money: string; tokens: string; inFull?: string; note: string }

function Figures({ priced, money, tokens, inFull, note }: Shown) {
  // A dash alone means nothing here; in a table, its column explains it.
  const used = tokens.startsWith(UNKNOWN) ? 'Not known yet' : tokens
  return (
    <>
      <p className={`${css['main']} live-number`} title={priced ? undefined : inFull}>
        {priced ? money : used}
      </p>
      {priced && (
        <p className="live-number" title={inFull}>
          {used}
        </p>
      )}
      <p className={css['note']}>{note}</p>
    </>
  )
}

const nothingUsed = (use: UseAmounts): string | null => (tokensOf(use) === 0 ? 'Nothing was used' : null)
const countCalls = ({ calls }: UseAmounts): string => (calls === 0 ? '' : counted(calls, 'call'))

function mergedNote({ beads, usual }: BudgetView['merged'], period: string): string {
  if (usual.tokens === null)
    return beads === 0 ? `No bead was merged ${period}` : `${counted(beads, 'bead')} merged ${period}, use not known`
  return `Median – 90th percentile of ${sample(usual)} merged ${period}`
}

/** "31 beads", "31 beads (money: 28)". */
const sample = ({ tokens, costMicros }: UsualUse): string => {
  const money = costMicros === null || costMicros.of === tokens?.of ? '' : ` (money: ${countText(costMicros.of)})`
  return `${counted(tokens?.of ?? 0, 'bead')}${money}`
}

function queueNote({ queue: { beads, reviews, types, tokens } }: BudgetView): string {
  const waiting = [
    ...(beads === 0 ? [] : [counted(beads, 'bead')]),
    ...(reviews.count === 0 ? [] : [counted(reviews.count, 'review')]),
  ]
  if (waiting.length === 0) return 'Nothing is waiting'
  const done = types.reduce((sum, { usual }) => sum + (usual.tokens?.of ?? 0), 0)
  const reviewed = reviews.count === 0 ? 0 : (reviews.usual.tokens?.of ?? 0)
  const known = [
    ...(done === 0 ? [] : [`${countText(done)} completed`]),
    ...(reviewed === 0 ? [] : [counted(reviewed, 'review')]),
  ]
  const from =
    known.length === 0 ? 'no similar bead has been completed' : `median – 90th percentile of ${known.join(' and ')}`
  return `${waiting.join(' and ')} waiting${partText(tokens, beads + reviews.count)}; ${from}`
}
