import { sumActivity } from '@beadloom/core/activity/activity-sum.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ActivityFigures } from './activity-figures.tsx'
import { ActivityList } from './activity-list.tsx'
import css from './activity-page.module.css'
import { periodName, periods } from './activity-search.ts'
import { LoomPicture } from './loom-picture.tsx'
import { NeedsYou } from './needs-you.tsx'
import { useActivity } from './use-activity.ts'
import { WorkBranchActions } from '../../components/review/pull-request/work-branch-actions.tsx'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/activity')

/** What was merged, what it cost, and what needs a person: the page for the morning. */
export function ActivityPage() {
  const { project } = route.useParams()
  const { days = 1 } = route.useSearch()
  const view = useHome().view?.projects.get(project)
  const { data, error, refetch, isPlaceholderData } = useActivity(project, days)
  const sum = useMemo(() => (data === undefined ? null : sumActivity(data.items)), [data])
  usePageTitle(`Activity · ${view?.name ?? project}`)
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <h1>Activity</h1>
        <nav className={css['choices']} aria-label="Period">
          {periods.map((one) => (
            <Link
              key={one}
              to="/p/$project/activity"
              params={{ project }}
              search={{ days: one === 1 ? undefined : one }}
              activeOptions={{ explicitUndefined: true }}
              className={css['choice']}
              replace
            >
              {periodName(one)}
            </Link>
          ))}
        </nav>
        <span className={css['space']} />
        {view && <WorkBranchActions project={view} />}
      </header>
      {data !== undefined && sum !== null ? (
        <div className={css['parts']} aria-busy={isPlaceholderData || undefined}>
          <ActivityFigures sum={sum} currency={data.currency} />
          <NeedsYou project={project} />
          {data.items.length === 0 ? (
            <PanelMessage title={`Nothing ran in the last ${periodName(days)}`}>
              <p>Run a bead on the board, or turn on autopilot, and its thread appears here.</p>
            </PanelMessage>
          ) : (
            <>
              <LoomPicture project={project} view={data} branch={view?.workBranch ?? ''} />
              <ActivityList project={project} view={data} />
            </>
          )}
        </div>
      ) : error === null ? (
        <Loading what="activity" />
      ) : (
        <PanelMessage title="The activity could not be loaded" role="alert">
          <p>{shown(error.message)}</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </PanelMessage>
      )}
    </div>
  )
}
