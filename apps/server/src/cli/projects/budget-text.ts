import type { BudgetView, Forecast, Spread, UsualUse } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { UseAmounts, UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { cutText, oneLiner, padText, textWidth, wrapText } from '../terminal/terminal-text.ts'
import type { Paint } from '../terminal/paint.ts'

/** Other people choose names, which must not push the figures out of the window. */
const MOST_NAME = 48

/** The use of a project, for people. */
export function budgetText(view: BudgetView, by: UseKey, columns: number, paint: Paint): string {
  const { from, all, currency, pricesOf } = view
  const facts = factsText(factsOf(view), columns, paint)
  if (tokensOf(all) === 0) return [facts, '', `No tokens were used since ${from}.`].join('\n')
  const notes = [
    `Since ${from} (UTC). List prices are those of ${pricesOf}; "prices" in config.json overrides them.`,
    ...(all.estimated === 0
      ? []
      : [`Tokens are estimated for ${counted(all.estimated, 'call')}: the endpoint did not count them.`]),
  ]
  return [facts, '', useTable(view, by, currency, columns, paint), '', ...notes].join('\n')
}

/** A long sentence is wrapped below itself, because its end says how many beads a forecast is based on. */
function factsText(facts: readonly [string, string][], columns: number, paint: Paint): string {
  const width = Math.max(...facts.map(([name]) => textWidth(name))) + 2
  return facts
    .flatMap(([name, text]) =>
      wrapText(oneLiner(text), Math.max(20, columns - width)).map(
        (line, at) => `${at === 0 ? paint.dim(padText(name, width)) : ' '.repeat(width)}${line}`,
      ),
    )
    .join('\n')
}

function factsOf(view: BudgetView): [string, string][] {
  const { today, week, hour, retries, all, merged, queue, currency } = view
  const used = (use: UseAmounts) => `${counted(tokensOf(use), 'token')}, ${cost(use, currency)}`
  const share = tokensOf(all) === 0 ? '' : ` (${Math.round((tokensOf(retries) / tokensOf(all)) * 100)} % of the tokens)`
  return [
    ['Today', used(today)],
    ['Last 7 days', used(week)],
    ['Last hour', used(hour)],
    [`Retries, ${counted(view.days, 'day')}`, `${used(retries)}${share}`],
    ['A merged bead', mergedText(merged.usual, merged.beads, currency)],
    ['The queue', queueText(queue, currency)],
  ]
}

function mergedText({ tokens, costMicros }: UsualUse, beads: number, currency: string): string {
  if (tokens === null) return beads === 0 ? '– (none was merged)' : `– (use of ${counted(beads, 'bead')} not known)`
  const money = costMicros === null ? '–' : moneySpread(costMicros, currency)
  const priced = costMicros !== null && costMicros.of < tokens.of ? ` (money for ${costMicros.of})` : ''
  return `${spread(tokens, grouped)} tokens, ${money}${priced} (median and 90th percentile of ${counted(tokens.of, 'bead')})`
}

const spread = ({ median, p90 }: Pick<Spread, 'median' | 'p90'>, text: (value: number) => string): string =>
  `${text(median)} – ${text(p90)}`

const moneySpread = ({ median, p90 }: Pick<Spread, 'median' | 'p90'>, currency: string): string =>
  `${amountText(median)} – ${moneyText(p90, currency)}`

function queueText(queue: BudgetView['queue'], currency: string): string {
  const { beads, reviews, types, tokens, costMicros } = queue
  const waiting = beads + reviews.count
  if (waiting === 0) return 'nothing waits for a slot'
  const part = (of: Forecast | null) => (of !== null && of.known < waiting ? ` (known for ${of.known})` : '')
  const foretold =
    tokens === null
      ? '–'
      : `${spread(tokens, grouped)} tokens${part(tokens)}, ${costMicros === null ? '–' : `${moneySpread(costMicros, currency)}${part(costMicros)}`}`
  const from = [
    ...types.map(({ type, usual }) => `${counted(usual.tokens?.of ?? 0, 'completed bead')} of type ${type}`),
    ...(reviews.count === 0 ? [] : [counted(reviews.usual.tokens?.of ?? 0, 'review')]),
  ].join(', ')
  const what = [
    ...(beads === 0 ? [] : [counted(beads, 'bead')]),
    ...(reviews.count === 0 ? [] : [counted(reviews.count, 'review')]),
  ].join(' and ')
  return `${what}: ${foretold} (from ${from})`
}

function useTable(view: BudgetView, by: UseKey, currency: string, columns: number, paint: Paint): string {
  const { items, rest } = view.by[by]
  // A sum with an unpriced part has a mark to its right, so the digits stay aligned.
  const marked = isPart(view.all)
  const line = (name: string, use: UseAmounts, retries: UseAmounts): string[] => [
    name,
    `${cost(use, currency)}${marked && !isPart(use) ? '  ' : ''}`,
    known(use.calls || null),
    grouped(use.input),
    known(use.cached),
    grouped(use.output),
    known(use.reasoning),
    grouped(tokensOf(retries)),
  ]
  const head = [
    by.toUpperCase(),
    marked ? 'COST  ' : 'COST',
    'CALLS',
    'INPUT',
    'CACHED',
    'OUTPUT',
    'REASONING',
    'RETRIES',
  ]
  const rows = [
    head,
    ...items.map(({ name, use, retries }) => line(name === '' ? unnamed[by] : name, use, retries)),
    ...(rest === null ? [] : [line(`${grouped(rest.count)} more`, rest.use, rest.retries)]),
    line('all', view.all, view.retries),
  ].map(([name = '', ...cells]) => [cutText(oneLiner(name), MOST_NAME), ...cells])
  const widths = head.map((_, at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ''))))
  return rows
    .map((row, number) => {
      const cells = row.map((text, at) => (at === 0 ? padText(text, widths[0] ?? 0) : padLeft(text, widths[at] ?? 0)))
      const line = cutText(cells.join('  '), columns)
      return number === 0 ? paint.dim(line) : number === rows.length - 1 ? paint.bold(line) : line
    })
    .join('\n')
}

const padLeft = (text: string, width: number): string => ' '.repeat(Math.max(0, width - textWidth(text))) + text

const unnamed: Record<UseKey, string> = {
  day: '–',
  bead: '–',
  model: 'not known',
  kind: '–',
  agent: 'not known',
  phase: 'without a phase',
}

const grouped = (value: number | string): string => Number(value).toLocaleString('en-US')

const known = (value: number | null): string => (value === null ? '–' : grouped(value))

const amountText = (micros: number): string => {
  const amount = micros / 1e6
  return amount.toFixed(amount >= 0.1 || amount === 0 ? 2 : 4)
}
const moneyText = (micros: number, currency: string): string => `${amountText(micros)} ${currency}`

const cost = ({ costMicros, unpriced }: UseAmounts, currency: string): string =>
  costMicros === null ? '–' : `${moneyText(costMicros, currency)}${unpriced > 0 ? ' +' : ''}`

const isPart = ({ costMicros, unpriced }: UseAmounts): boolean => costMicros !== null && unpriced > 0
