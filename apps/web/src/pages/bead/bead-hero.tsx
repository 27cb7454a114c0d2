import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { Suspense, type ReactNode } from 'react'
import { BeadHeader } from './bead-header.tsx'
import css from './bead-page.module.css'
import type { EditProps } from './edit/editable.tsx'
import { RefusedTests } from './next/refused-tests.tsx'
import { ReminderNotes } from './next/reminder-notes.tsx'
import { PipelineStrip } from './pipeline-strip.tsx'
import type { KnownBead } from './use-bead.ts'
import type { ShownSession } from './use-shown-session.ts'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import type { Origin } from '../../components/bead/reminders.ts'
import type { ReviewCommands } from '../../components/review/review-commands.tsx'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

// Few executions wait for something, and fewer at a limit.
const { Part: ExecutionNotices } = lazyPart(async () => (await import('./next/execution-notices.tsx')).ExecutionNotices)
const { Part: BudgetNote } = lazyPart(async () => (await import('./next/budget-note.tsx')).BudgetNote)
const { Part: EditNotes } = lazyPart(async () => (await import('./edit/edit-notes.tsx')).EditNotes)

type Props = {
  live: KnownBead
  lane: Lane
  followUps: readonly BoardCard[]
  commands: BeadCommands
  review: ReviewCommands
  refusal: string | null
  run: 'primary' | 'quiet' | 'elsewhere'
  edit: EditProps
  shown: ShownSession
  /** Its result in one line; null if a banner shows it. */
  result: string | null
  origin: Origin | null
  /** A person's options; null if they are elsewhere. */
  whatNext: ReactNode
}

const hasNotices = ({ paused, waits, stopPending, kept }: ExecutionView): boolean =>
  paused !== undefined || waits !== null || stopPending !== null || kept.length > 0

/** Everything above the tabs: the header, the pipeline, and what a person has to know. */
export function BeadHero({ live, lane, followUps, commands, shown, ...props }: Props) {
  const { bead, all, executions, newest } = live
  const { review, refusal, run, edit, result, origin, whatNext } = props
  return (
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
        run={run}
      />
      {shown.execution && (
        <PipelineStrip
          execution={shown.execution}
          result={shown.execution === newest ? result : null}
          newest={shown.execution.id === all[0]?.id}
          chosen={shown.chosen}
          onChoose={shown.show}
          onNewest={shown.showNewest}
        />
      )}
      {newest?.waits?.kind === 'budget' && (
        <Suspense fallback={null}>
          <BudgetNote bead={bead} execution={newest} commands={commands} />
        </Suspense>
      )}
      {newest && hasNotices(newest) && (
        <Suspense fallback={null}>
          <ExecutionNotices execution={newest} />
        </Suspense>
      )}
      {newest && <RefusedTests key={newest.id} execution={newest} />}
      {whatNext}
      {bead.edits?.some(({ problem }) => problem !== '') && (
        <Suspense fallback={null}>
          <EditNotes bead={bead} />
        </Suspense>
      )}
      <ReminderNotes bead={bead} executions={executions} origin={origin} />
    </div>
  )
}
