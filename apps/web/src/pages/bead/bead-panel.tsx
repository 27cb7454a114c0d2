import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'
import { Suspense, type ReactNode } from 'react'
import css from './bead-page.module.css'
import type { BeadTab } from './bead-search.ts'
import { tabWords } from './bead-tabs.tsx'
import { messagesAhead } from './messages/messages-below.tsx'
import { BeadOutput } from './tabs/bead-output.tsx'
import type { Picked } from './tabs/pick-session.ts'
import type { KnownBead } from './use-bead.ts'
import { markdownAhead } from '../../components/markdown/late-markdown.tsx'
import type { ReviewCommands } from '../../components/review/review-commands.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Loading } from '../../ui/loading.tsx'

// Most people come for the output: the other views load when opened, or when the page is idle.
const { Part: PlanPanel, ahead: planAhead } = lazyPart(async () => (await import('./plan/plan-panel.tsx')).PlanPanel)
const { Part: AttemptsPanel, ahead: attemptsAhead } = lazyPart(
  async () => (await import('./attempts/attempts-panel.tsx')).AttemptsPanel,
)
const { Part: BeadReview, ahead: reviewAhead } = lazyPart(
  async () => (await import('./tabs/bead-review.tsx')).BeadReview,
)
const { Part: DiffPanel, ahead: diffAhead } = lazyPart(async () => (await import('./tabs/diff-panel.tsx')).DiffPanel)
export const viewsAhead = () =>
  [messagesAhead, diffAhead, attemptsAhead, reviewAhead, planAhead, markdownAhead].forEach((ahead) => ahead())

type Props = {
  tab: BeadTab
  live: KnownBead
  lane: Lane
  /** The newest execution that has worked. */
  worked: ExecutionView | null
  picked: Picked | null
  review: ReviewCommands
  refusal: string | null
  info: ReactNode
}

/** The content of the open tab. */
export function BeadPanel({ tab, live: { bead, all, executions, plannings }, ...props }: Props) {
  const { lane, worked, picked, review, refusal, info } = props
  return (
    <div className={css['panel']} role="tabpanel" id="bead-panel" aria-labelledby={`tab-${tab}`}>
      <ErrorBoundary key={tab} what={tabWords[tab]}>
        <Suspense fallback={<Loading what={tabWords[tab].toLowerCase()} />}>
          {tab === 'plan' && (
            <PlanPanel key={bead.id} bead={bead} executions={executions} plannings={plannings} refusal={refusal} />
          )}
          {tab === 'output' && <BeadOutput lane={lane} executions={all} picked={picked} reminderOf={bead.reminderOf} />}
          {tab === 'diff' && <DiffPanel execution={worked} />}
          {tab === 'attempts' && <AttemptsPanel title={bead.title} executions={executions} />}
          {tab === 'review' && <BeadReview project={bead.project} bead={bead.id} review={review} />}
          {tab === 'info' && info}
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
