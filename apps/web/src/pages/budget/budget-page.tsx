import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import { getRouteApi } from '@tanstack/react-router'
import { BudgetBar } from './budget-bar.tsx'
import { BudgetFigures } from './budget-figures.tsx'
import css from './budget-page.module.css'
import { usualDays, usualKey, type Days } from './budget-search.ts'
import { dayName } from './budget-words.ts'
import { DayBars } from './day-bars.tsx'
import { QueueTable } from './queue-table.tsx'
import { useBudget } from './use-budget.ts'
import { UseTableSection } from './use-table.tsx'
import { useHome } from '../../feed/feed-context.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { wallClockText } from '../../ui/text/time-text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/budget')

/** A project's use and cost so far, and the probable cost of its queue. */
export function BudgetPage() {
  const { project } = route.useParams()
  const { days = usualDays, by = usualKey } = route.useSearch()
  const view = useHome().view?.projects.get(project)
  const query = useBudget(project, days)
  const { data, error } = query
  usePageTitle(`Budget · ${view?.name ?? project}`)
  return (
    <div className={css['page']}>
      <BudgetBar project={project} days={days} by={by} />
      {error !== null && data !== undefined && (
        <p role="alert" className={css['problem']}>
          Data from {wallClockText(data.at)}; it could not be refreshed. {shown(error.message)}
        </p>
      )}
      {data !== undefined ? (
        <div className={css['parts']} aria-busy={query.isPlaceholderData || undefined}>
          <BudgetParts project={project} view={data} perDay={view?.tokens?.perDay ?? null} days={days} by={by} />
        </div>
      ) : error === null ? (
        <Loading what="budget" />
      ) : (
        <LoadFailure what="The budget" error={error} onRetry={() => void query.refetch()} />
      )}
    </div>
  )
}

type Props = { project: string; view: BudgetView; perDay: number | null; days: Days; by: UseKey }

function BudgetParts({ project, view, perDay, days, by }: Props) {
  const used = view.lastDays.some(({ use }) => tokensOf(use) > 0) || tokensOf(view.all) > 0
  const waits = view.queue.beads + view.queue.reviews.count > 0
  if (!used && !waits)
    return (
      <PanelMessage title="No tokens used yet">
        <p>Usage appears here once a bead has run. In a terminal:</p>
        <pre>npx beadloom budget {project}</pre>
      </PanelMessage>
    )
  return (
    <>
      <BudgetFigures view={view} perDay={perDay} />
      <DayBars days={view.lastDays} currency={view.currency} />
      <UseTableSection project={project} view={view} days={days} by={by} />
      {waits && <QueueTable queue={view.queue} currency={view.currency} />}
      <p className={css['muted']}>
        Days are UTC. A call is counted with the price that applied when it was made; list prices are those of{' '}
        {dayName(view.pricesOf)} {view.pricesOf.slice(0, 4)}, and <code>prices</code> in <code>config.json</code> has
        others. “–” means unknown; “+” means that a part of the sum has no price.
        {view.all.estimated > 0 &&
          ` The tokens of ${counted(view.all.estimated, 'call')} are estimated, because the endpoint did not count them.`}
      </p>
    </>
  )
}
