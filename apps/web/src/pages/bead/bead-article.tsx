import { BeadHero } from './bead-hero.tsx'
import css from './bead-page.module.css'
import { BeadPanel } from './bead-panel.tsx'
import { BeadTabs } from './bead-tabs.tsx'
import type { EditProps } from './edit/editable.tsx'
import { asksAPerson, resultLine } from './next/end-banner.tsx'
import { useFollowUps } from './next/use-follow-ups.ts'
import { WhatNext } from './next/what-next.tsx'
import { BeadInfo } from './tabs/bead-info.tsx'
import type { KnownBead } from './use-bead.ts'
import type { OpenTab } from './use-bead-tab.ts'
import type { ShownSession } from './use-shown-session.ts'
import { runRefusal } from '../../components/bead/bead-actions.ts'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { nextActions } from '../../components/bead/next-actions.ts'
import { originOf } from '../../components/bead/reminders.ts'
import { useLanes } from '../../components/bead/use-lanes.ts'
import { openCount } from '../../components/review/issues/issues.ts'
import type { ReviewCommands } from '../../components/review/review-commands.tsx'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { laneOf } from '@beadloom/core/board/board-card.ts'
import { shown as plain } from '../../ui/text/hostile-text.ts'

type Props = {
  live: KnownBead
  view: ProjectView | undefined
  wide: boolean
  open: OpenTab
  shown: ShownSession
  commands: BeadCommands
  review: ReviewCommands
  edit: EditProps
}

/** A bead that is loaded: what is above the tabs, the tabs, and on a wide screen the column beside them. */
export function BeadArticle({ live, view, wide, open, shown, commands, review, edit }: Props) {
  const { bead, newest, executions } = live
  const { tab, inTheatre } = open
  const { project, id } = bead
  const laneOfBead = useLanes(project)
  const followUps = useFollowUps(project, bead)
  const lane = laneOf(bead, newest)
  const underReview = review.state.is === 'queued' || review.state.is === 'running'
  const refusal = underReview ? 'its review is still running' : runRefusal(bead, newest, view)
  const planWaits = bead.reason?.code === 'plan_waits'
  const actions =
    bead.reminderOf !== undefined
      ? []
      : nextActions(bead.status, newest?.kind === 'work' ? newest : null, (id) =>
          ['queued', 'running'].includes(laneOfBead(id) ?? ''),
        )
  // A question has its answer box in the banner; the header has the button to run without an answer.
  const areActionsShown = actions.length > 0 && (tab !== 'diff' || wide) && !inTheatre && !asksAPerson(lane, newest)
  const origin = originOf(bead, laneOfBead)
  const result = resultLine(bead, lane, newest)
  // A failure and its log are side by side if there is room for both; a question is above everything.
  const beside = wide && !inTheatre && (lane === 'failed' || lane === 'timeout')
  const whatNext = (
    <WhatNext
      bead={bead}
      lane={lane}
      execution={newest}
      view={view}
      commands={commands}
      refusal={refusal}
      followUps={followUps}
      shows={{
        // A reminder has a note of its own about what to do.
        end: (lane !== 'open' || origin === null) && !(planWaits && tab === 'plan') && !inTheatre && result === null,
        followUps: beside || (!inTheatre && tab !== 'diff'),
        actions: areActionsShown,
      }}
      actions={actions}
      brief={tab === 'attempts' || tab === 'diff'}
      beside={beside}
    />
  )
  const info = <BeadInfo bead={bead} executions={executions} project={project} {...edit} live={lane === 'running'} />
  const worked = executions.find((one) => one.startedAt !== null) ?? null
  const issues = review.review === null || review.state.is !== 'ended' ? 0 : openCount(review.review.issues)
  const run = areActionsShown ? 'elsewhere' : actions.length > 0 || origin !== null || planWaits ? 'quiet' : 'primary'
  const both = { live, lane, review, refusal }
  return (
    <article className={css['page']} aria-label={`${id}: ${plain(bead.title)}`}>
      <BeadHero
        {...both}
        {...{ followUps, commands, run, edit, shown, result, origin }}
        whatNext={beside ? null : whatNext}
      />
      <div className={css['body']}>
        <section className={css['main']}>
          <BeadTabs tabs={open.tabs} tab={tab} onTab={open.open} newest={newest} worked={worked} issues={issues} />
          <BeadPanel {...both} tab={tab} worked={worked} picked={shown.picked} info={info} />
        </section>
        {wide && !inTheatre && (
          <aside className={css['side']}>
            {beside && whatNext}
            {info}
          </aside>
        )}
      </div>
      {commands.dialog}
    </article>
  )
}
