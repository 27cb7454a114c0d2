import { markdownAhead } from '../../components/markdown/late-markdown.tsx'
import type { Session } from '@beadloom/core/records/session.ts'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { BeadHeader, BeadHeading } from './bead-header.tsx'
import { BeadInfo } from './tabs/bead-info.tsx'
import { BeadOutput } from './tabs/bead-output.tsx'
import css from './bead-page.module.css'
import { BeadTabs, tabWords } from './bead-tabs.tsx'
import { asksAPerson, resultLine } from './next/end-banner.tsx'
import { ExecutionNotices } from './next/execution-notices.tsx'
import { RefusedTests } from './next/refused-tests.tsx'
import { openingTab } from './opening-tab.ts'
import { ReminderNotes } from './next/reminder-notes.tsx'
import type { Editing } from './edit/editable.tsx'
import { useBead } from './use-bead.ts'
import { useFollowUps } from './next/use-follow-ups.ts'
import { WhatNext } from './next/what-next.tsx'
import { pickSession, type Picked } from './tabs/pick-session.ts'
import { converses, prefersLog } from '../../components/log/conversation/output-mode.tsx'
import { PipelineStrip } from './pipeline-strip.tsx'
import { rememberCard } from '../../components/bead/board-memory.ts'
import { runRefusal } from '../../components/bead/bead-actions.ts'
import { useBeadCommands } from '../../components/bead/bead-commands.tsx'
import { originOf } from '../../components/bead/reminders.ts'
import { useLanes } from '../../components/bead/use-lanes.ts'
import { nextActions } from '../../components/bead/next-actions.ts'
import { openCount } from '../../components/review/issues/issues.ts'
import { useReviewCommands } from '../../components/review/review-commands.tsx'
import { useBoard, useHome } from '../../feed/feed-context.tsx'
import { laneOf } from '@beadloom/core/board/board-card.ts'
import type { BeadTab } from './bead-search.ts'
import { useRefusal } from '../../ui/allowed.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { useKeys } from '../../ui/keys/keys.ts'
import { lazyPart, whenIdle } from '../../ui/lazy-part.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'
import { useMedia } from '../../ui/use-media.ts'

// Most people come for the output: the other views load when opened, or when the page is idle.
const { Part: PlanPanel, ahead: planAhead } = lazyPart(async () => (await import('./plan/plan-panel.tsx')).PlanPanel)
const { Part: AttemptsPanel, ahead: attemptsAhead } = lazyPart(
  async () => (await import('./attempts/attempts-panel.tsx')).AttemptsPanel,
)
const { Part: BeadReview, ahead: reviewAhead } = lazyPart(
  async () => (await import('./tabs/bead-review.tsx')).BeadReview,
)
const { Part: DiffPanel, ahead: diffAhead } = lazyPart(async () => (await import('./tabs/diff-panel.tsx')).DiffPanel)
// Few executions wait at a limit.
const { Part: BudgetNote } = lazyPart(async () => (await import('./next/budget-note.tsx')).BudgetNote)
const { Part: EditNotes } = lazyPart(async () => (await import('./edit/edit-notes.tsx')).EditNotes)
const viewsAhead = () => [diffAhead, attemptsAhead, reviewAhead, planAhead, markdownAhead].forEach((ahead) => ahead())

/** A session of an agent at work that is read as a conversation; a plan's sessions are a single conversation anyway. */
const isFollowed = ({ execution, session }: Picked): boolean =>
  session.state !== 'ended' && converses(session) && (execution.inPhases?.length ?? 0) === 0 && !prefersLog()

const route = getRouteApi('/p/$project/b/$bead')
export function BeadPage() {
  const { project, bead: id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { bead, all, executions, plannings, newest, error, retry } = useBead(project, id)
  useRefusal('runner')
  const view = useHome().view?.projects.get(project)
  const commands = useBeadCommands(project, view)
  const wide = useMedia('(min-width: 1100px)')
  const laneOfBead = useLanes(project)
  const card = useBoard(project).view?.beads.get(id)
  const laneOfCard = laneOfBead(id)
  const [editing, setEditing] = useState<Editing | null>(null)
  const worked = executions.find((one) => one.startedAt !== null) ?? null
  const lane = bead ? laneOf(bead, newest) : null
  const followUps = useFollowUps(project, bead)

  usePageTitle(bead ? `${id} ${shown(bead.title)}` : id)
  useEffect(() => rememberCard(project, id), [project, id])
  useEffect(() => whenIdle(viewsAhead), [])
  const isPlanned = bead?.plan !== undefined || plannings.length > 0
  const tabs: BeadTab[] = [
    'output',
    ...(isPlanned ? (['plan'] as const) : []),
    'diff',
    'attempts',
    'review',
    ...(wide ? [] : (['info'] as const)),
  ]
  const planWaits = bead?.reason?.code === 'plan_waits'
  const isAboutPlan = planWaits || (lane === 'running' && newest?.progress !== undefined)
  // A reader of the output or the plan stays there, whatever happens to the bead.
  const [reading, setReading] = useState<{ bead: string; tab: BeadTab } | null>(null)
  const opening =
    reading?.bead === id && tabs.includes(reading.tab)
      ? reading.tab
      : openingTab(lane, search.session !== undefined, wide, isAboutPlan)
  if (lane !== null && (opening === 'output' || opening === 'plan') && reading?.bead !== id)
    setReading({ bead: id, tab: opening })
  const tab = search.tab && tabs.includes(search.tab) ? search.tab : opening
  const setTab = (next: BeadTab) =>
    void navigate({ search: (old) => ({ ...old, tab: next, attempt: undefined }), replace: true })
  // The address may name an earlier execution's session; then the pipeline shows that execution.
  const [watched, setWatched] = useState<string | null>(null)
  const picked = pickSession(all, search.session, watched)
  const follows = tab === 'output' && search.session === undefined && picked !== null && isFollowed(picked)
  if (follows && picked.session.id !== watched) setWatched(picked.session.id)
  const shownRun = picked !== null && search.session !== undefined ? picked.execution : (newest ?? all[0] ?? null)
  // The theatre shows an attempt's sessions itself.
  const inTheatre = tab === 'attempts' && search.attempt !== undefined
  const showSession = ({ id: session, attempt }: Session) =>
    void navigate({
      search: (old) => ({
        ...old,
        ...(inTheatre ? { attempt: Math.max(1, attempt) } : { tab: 'output' }),
        session,
        line: undefined,
        to: undefined,
      }),
      replace: true,
    })
  const review = useReviewCommands({
    project,
    bead: id,
    work: executions[0] ?? null,
    problem: view?.problem ?? null,
    open: () => setTab('review'),
  })
  const issues = review.review === null || review.state.is !== 'ended' ? 0 : openCount(review.review.issues)
  const back = () => void navigate({ to: '/p/$project', params: { project } })
  useKeys('Bead', [
    ...tabs.map((one, index) => ({ keys: [String(index + 1)], does: tabWords[one], run: () => setTab(one) })),
    { keys: ['r'], does: 'Run the bead', run: () => bead && commands.run(bead, newest) },
    {
      keys: ['o'],
      does: 'Run the bead with a note or other options',
      run: () => bead && commands.runWithOptions(bead, newest),
    },
    { keys: ['R'], does: 'Review the bead', run: review.press },
    { keys: ['S'], does: 'Stop the bead', run: () => bead && commands.cancel(bead, newest) },
    { keys: ['t'], does: 'Change the title', run: () => setEditing({ bead: id, field: 'title' }) },
    {
      keys: ['b'],
      does: 'Change the description',
      run: () => {
        if (!wide) setTab('info')
        setEditing({ bead: id, field: 'description' })
      },
    },
    { keys: ['Escape'], does: 'Back to the board', run: back },
  ])

  if (bead === null || lane === null)
    return error ? (
      <PanelMessage title={`${id} could not be loaded`} role="alert" alone>
        <p>{error.message}</p>
        <Button onClick={retry}>Try again</Button>
      </PanelMessage>
    ) : (
      <>
        {card && laneOfCard ? (
          <BeadHeading id={id} title={card.title} lane={laneOfCard} />
        ) : (
          <h1 className="visually-hidden">{shown(id)}</h1>
        )}
        <Loading what={id} />
      </>
    )
  const underReview = review.state.is === 'queued' || review.state.is === 'running'
  const refusal = underReview ? 'its review is still running' : runRefusal(bead, newest, view)
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
  const edit = {
    editing: editing?.bead === id ? editing.field : null,
    onEdit: (field: Editing['field'] | null) => setEditing(field && { bead: id, field }),
  }
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
  return (
    <article className={css['page']} aria-label={`${id}: ${shown(bead.title)}`}>
      <div className={css['hero']}>
        <BeadHeader
          bead={bead}
          lane={lane}
          worker={followUps.find((one) => one.lane === 'running') ?? followUps.find((one) => one.lane === 'queued')}
          execution={newest}
          commands={commands}
          review={review}
          refusal={refusal}
          {...edit}
          run={areActionsShown ? 'elsewhere' : actions.length > 0 || origin !== null || planWaits ? 'quiet' : 'primary'}
        />
        {shownRun && (
          <PipelineStrip
            execution={shownRun}
            result={shownRun === newest ? result : null}
            newest={shownRun.id === all[0]?.id}
            chosen={
              tab === 'output' || (inTheatre && search.session !== undefined) ? (picked?.session.id ?? null) : null
            }
            onChoose={showSession}
            onNewest={() =>
              void navigate({
                search: (old) => ({ ...old, session: undefined, line: undefined, to: undefined }),
                replace: true,
              })
            }
          />
        )}
        {newest?.budgetWait !== undefined && (
          <Suspense fallback={null}>
            <BudgetNote bead={bead} execution={newest} commands={commands} />
          </Suspense>
        )}
        {newest && <ExecutionNotices execution={newest} />}
        {newest && <RefusedTests key={newest.id} execution={newest} />}
        {!beside && whatNext}
        {bead.edits?.some(({ problem }) => problem !== '') && (
          <Suspense fallback={null}>
            <EditNotes bead={bead} />
          </Suspense>
        )}
        <ReminderNotes bead={bead} executions={executions} origin={origin} />
      </div>
      <div className={css['body']}>
        <section className={css['main']}>
          <BeadTabs tabs={tabs} tab={tab} onTab={setTab} newest={newest} worked={worked} issues={issues} />
          <div className={css['panel']} role="tabpanel" id="bead-panel" aria-labelledby={`tab-${tab}`}>
            <ErrorBoundary key={tab} what={tabWords[tab]}>
              <Suspense fallback={<Loading what={tabWords[tab].toLowerCase()} />}>
                {tab === 'plan' && (
                  <PlanPanel key={id} bead={bead} executions={executions} plannings={plannings} refusal={refusal} />
                )}
                {tab === 'output' && (
                  <BeadOutput lane={lane} executions={all} picked={picked} reminderOf={bead.reminderOf} />
                )}
                {tab === 'diff' && <DiffPanel execution={worked} />}
                {tab === 'attempts' && <AttemptsPanel title={bead.title} executions={executions} />}
                {tab === 'review' && <BeadReview project={project} bead={id} review={review} />}
                {tab === 'info' && info}
              </Suspense>
            </ErrorBoundary>
          </div>
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
