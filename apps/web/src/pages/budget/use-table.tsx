import type { BudgetView, UseGroup } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { UseAmounts, UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { searchOf } from './budget-bar.tsx'
import css from './budget-page.module.css'
import { tableKeys, type Days } from './budget-search.ts'
import { columnMoney, costNote, groupName, keyNames, toldCount } from './budget-words.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { countText } from '@beadloom/core/text/count-text.ts'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = { project: string; view: BudgetView; days: Days; by: UseKey }

/** Tokens, added up by one key at a time. */
export function UseTableSection({ project, view, days, by }: Props) {
  const { items, rest } = view.by[by]
  const money = columnMoney(view.all, view.currency)
  const beads = useBoard(project).view?.beads
  const rows: Row[] = items.map(({ name, use, retries }) => ({
    key: `one ${name}`,
    name:
      by === 'bead' ? (
        <>
          <Link to="/p/$project/b/$bead" params={{ project, bead: name }}>
            {shown(name)}
          </Link>{' '}
          <Title text={beads?.get(name)?.title} />
        </>
      ) : (
        <span className={css['name']} title={shown(name)}>
          {shown(groupName(by, name))}
        </span>
      ),
    use,
    retries,
  }))
  if (rest !== null)
    rows.push({ key: 'rest', name: `${countText(rest.count)} more`, use: rest.use, retries: rest.retries })
  return (
    <section aria-labelledby="use" className={css['section']}>
      <div className={css['head']}>
        <h2 id="use">{view.days === 1 ? 'Used today' : `Used in ${view.days} days`}</h2>
        <nav className={css['choices']} aria-label="Group by">
          {tableKeys.map((key) => (
            <Link
              key={key}
              to="/p/$project/budget"
              params={{ project }}
              search={searchOf(days, key)}
              replace
              className={css['choice']}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {keyNames[key]}
            </Link>
          ))}
        </nav>
      </div>
      {items.length === 0 ? (
        <p className={css['muted']}>No tokens were used {view.days === 1 ? 'today' : `in these ${view.days} days`}.</p>
      ) : (
        <FactTable
          label={{ by: 'use' }}
          columns={columnsOf(keyNames[by], money)}
          rows={rows}
          keyOf={({ key }) => key}
          sum={{ key: 'all', name: 'All', use: view.all, retries: view.retries }}
        />
      )}
    </section>
  )
}

/** The title of a bead that still exists. */
const Title = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <span className={css['title']} title={shown(text)}>
      {shown(text)}
    </span>
  )

type Row = { key: string; name: ReactNode } & Pick<UseGroup, 'use' | 'retries'>

const columnsOf = (what: string, money: (use: UseAmounts) => string): Column<Row>[] => {
  const cost = (title: string, of: (row: Row) => [UseAmounts, string]): Column<Row> => ({
    title,
    number: true,
    hint: (row) => costNote(of(row)[0]) ?? undefined,
    cell: (row) => <Money use={of(row)[0]} text={of(row)[1]} />,
  })
  const count = (title: string, of: (row: Row) => string): Column<Row> => ({ title, number: true, cell: of })
  return [
    { title: what, cell: ({ name }) => name },
    cost('Cost', ({ use }) => [use, money(use)]),
    count('Calls', ({ use }) => toldCount(use.calls || null)),
    count('Input', ({ use }) => countText(use.input)),
    count('Cached', ({ use }) => toldCount(use.cached)),
    count('Output', ({ use }) => countText(use.output)),
    count('Reasoning', ({ use }) => toldCount(use.reasoning)),
    count('Retries', ({ retries }) => countText(tokensOf(retries))),
    cost('Cost of retries', ({ use, retries }) => {
      const none = tokensOf(retries) === 0 && use.costMicros !== null
      return [retries, money(none ? { ...retries, costMicros: 0 } : retries)]
    }),
  ]
}

/** The mark of an incomplete sum has its own place, so that digits stay aligned. */
const Money = ({ use, text }: { use: UseAmounts; text: string }) => (
  <span>
    {text}
    <span className={css['plus']}>{use.costMicros !== null && use.unpriced > 0 ? '+' : ''}</span>
  </span>
)
