import type { BudgetView, UseGroup } from '@beadloom/core/api/project-budget-api.ts'
import type { UseAmounts, UseKey } from '@beadloom/core/api/token-use-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { searchOf } from './budget-bar.tsx'
import css from './budget-page.module.css'
import { tableKeys, type Days } from './budget-search.ts'
import { columnMoney, costNote, groupName, keyNames, toldCount } from './budget-words.ts'
import { useBoard } from '../../feed/feed-context.tsx'
import { countText } from '../../ui/count-text.ts'
import { shown } from '../../ui/hostile-text.ts'

type Props = { project: string; view: BudgetView; days: Days; by: UseKey }

/** What the tokens went to, added up by one thing at a time. */
export function UseTableSection({ project, view, days, by }: Props) {
  const { items, rest } = view.by[by]
  const money = columnMoney(view.all, view.currency)
  const beads = useBoard(project).view?.beads
  return (
    <section aria-labelledby="use" className={css['section']}>
      <div className={css['head']}>
        <h2 id="use">{view.days === 1 ? 'Used today' : `Used in ${view.days} days`}</h2>
        <nav className={css['choices']} aria-label="Add up by">
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
        <div className={css['wide']} tabIndex={0} role="group" aria-labelledby="use">
          <table>
            <thead>
              <tr>
                <th scope="col">{keyNames[by]}</th>
                <th scope="col">Cost</th>
                <th scope="col">Calls</th>
                <th scope="col">Input</th>
                <th scope="col">Cached</th>
                <th scope="col">Output</th>
                <th scope="col">Reasoning</th>
                <th scope="col">Retries</th>
                <th scope="col">Cost of retries</th>
              </tr>
            </thead>
            <tbody>
              {items.map((group) => (
                <Row key={group.name} group={group} money={money}>
                  {by === 'bead' ? (
                    <>
                      <Link to="/p/$project/b/$bead" params={{ project, bead: group.name }}>
                        {shown(group.name)}
                      </Link>{' '}
                      <Title text={beads?.get(group.name)?.title} />
                    </>
                  ) : (
                    <span className={css['name']} title={shown(group.name)}>
                      {shown(groupName(by, group.name))}
                    </span>
                  )}
                </Row>
              ))}
              {rest !== null && (
                <Row group={{ name: '', ...rest }} money={money}>
                  {countText(rest.count)} more
                </Row>
              )}
            </tbody>
            <tfoot>
              <Row group={{ name: '', use: view.all, retries: view.retries }} money={money}>
                All
              </Row>
            </tfoot>
          </table>
        </div>
      )}
    </section>
  )
}

/** Of a bead that is still there. */
const Title = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <span className={css['title']} title={shown(text)}>
      {shown(text)}
    </span>
  )

type RowProps = { group: UseGroup; money: (use: UseAmounts) => string; children: ReactNode }

function Row({ group: { use, retries }, money, children }: RowProps) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <Money use={use} text={money(use)} />
      <td>{toldCount(use.calls || null)}</td>
      <td>{countText(use.input)}</td>
      <td>{toldCount(use.cached)}</td>
      <td>{countText(use.output)}</td>
      <td>{toldCount(use.reasoning)}</td>
      <td>{countText(tokensOf(retries))}</td>
      <Money
        use={retries}
        text={money(tokensOf(retries) === 0 && use.costMicros !== null ? { ...retries, costMicros: 0 } : retries)}
      />
    </tr>
  )
}

/** The mark of an incomplete sum has a place of its own, so that digits stay aligned. */
const Money = ({ use, text }: { use: UseAmounts; text: string }) => (
  <td title={costNote(use) ?? undefined}>
    {text}
    <span className={css['plus']}>{use.costMicros !== null && use.unpriced > 0 ? '+' : ''}</span>
  </td>
)
