import { sumActivity } from '@beadloom/core/activity/activity-sum.ts'
import type { ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useMemo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { ActivityFigures } from './activity-figures.tsx'
import { ActivityList } from './activity-list.tsx'
import css from './activity-page.module.css'
import { daysSince, periodName, periods, yesterdayEvening, type ActivitySearch } from './activity-search.ts'
import { LoomPicture } from './loom-picture.tsx'
import { MergedList } from './merged-list.tsx'
import { NeedsYou } from './needs-you.tsx'
import { useActivity } from './use-activity.ts'
import { WorkBranchActions } from '../../components/review/pull-request/work-branch-actions.tsx'
import { useHome, useServerNow } from '../../feed/feed-context.tsx'
import { lookStore, noteTold } from '../../ui/last-look.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { dayText, shortClockText } from '../../ui/text/time-text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/activity')

/** Merged work, its cost, and beads that need a person: a page for the morning. */
export function ActivityPage() {
  const { project } = route.useParams()
  const search = route.useSearch()
  const now = useServerNow()
  const last = useStore(lookStore, (looks) => looks[project]?.before ?? null)
  // An address without a time means since the last visit; that time stays the same during this visit.
  const since = search.since ?? (search.days === undefined ? last : null)
  const days = since === null ? (search.days ?? 1) : daysSince(since, now)
  const view = useHome().view?.projects.get(project)
  const { data: whole, error, refetch, isPlaceholderData } = useActivity(project, days)
  const data = useMemo(() => (since === null || whole === undefined ? whole : after(whole, since)), [whole, since])
  useEffect(() => {
    if (data !== undefined) noteTold(project)
  }, [project, data])
  const sum = useMemo(() => (data === undefined ? null : sumActivity(data.items)), [data])
  usePageTitle(`Activity · ${view?.name ?? project}`)
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <h1>Activity</h1>
        <nav className={css['choices']} aria-label="Period">
          {last !== null && (
            <Choice project={project} search={{ since: last }} isOn={since === last}>
              Since your last visit
            </Choice>
          )}
          <Choice
            project={project}
            search={{ since: yesterdayEvening(now) }}
            isOn={since !== last && since === yesterdayEvening(now)}
          >
            Since yesterday evening
          </Choice>
          {periods.map((one) => (
            <Choice key={one} project={project} search={{ days: one }} isOn={since === null && days === one}>
              {periodName(one)}
            </Choice>
          ))}
        </nav>
        <span className={css['space']} />
        {view && <WorkBranchActions project={view} />}
      </header>
      {data !== undefined && sum !== null ? (
        <div className={css['parts']} aria-busy={isPlaceholderData || undefined}>
          <ActivityFigures sum={sum} currency={data.currency} />
          {since !== null && (
            <p className={css['since']}>
              Since {dayText(since)}, {shortClockText(since)}
            </p>
          )}
          {data.items.length > 0 && <LoomPicture project={project} view={data} branch={view?.workBranch ?? ''} />}
          <div className={css['pair']}>
            <NeedsYou project={project} />
            <MergedList project={project} view={data} />
          </div>
          {data.items.length === 0 ? (
            <PanelMessage
              title={
                since === null
                  ? `Nothing ran in the last ${periodName(search.days ?? 1)}`
                  : `Nothing ran since ${dayText(since)}, ${shortClockText(since)}`
              }
            >
              <p>Run a bead on the board, or turn on autopilot, and its thread appears here.</p>
            </PanelMessage>
          ) : (
            <ActivityList project={project} view={data} />
          )}
        </div>
      ) : error === null ? (
        <Loading what="activity" />
      ) : (
        <LoadFailure what="The activity" error={error} onRetry={() => void refetch()} />
      )}
    </div>
  )
}

/** Executions that ran at that time or later. */
const after = (view: ActivityView, since: number): ActivityView => ({
  ...view,
  from: since,
  items: view.items.filter(({ endedAt }) => endedAt === null || endedAt >= since),
})

type ChoiceProps = { project: string; search: ActivitySearch; isOn: boolean; children: ReactNode }

const Choice = ({ project, search, isOn, children }: ChoiceProps) => (
  <Link
    to="/p/$project/activity"
    params={{ project }}
    search={search}
    className={isOn ? `${css['choice']} ${css['on']}` : css['choice']}
    activeProps={{ 'aria-current': undefined }}
    aria-current={isOn ? 'page' : undefined}
    replace
  >
    {children}
  </Link>
)
