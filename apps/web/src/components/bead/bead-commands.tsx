import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { cancelRefusal, pauseRefusal, runRefusal, sayRefusal } from './bead-actions.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { nextActions, recommendedText } from './next-actions.ts'
import { cancelExecution, pressKey, queueExecution } from '../../api/endpoints.ts'
import { lazyPart, whenIdle } from '../../ui/lazy-part.ts'
import { pauseExecution, resumeExecution } from '../../api/steering.ts'
import { toast, toastError } from '../../ui/toast.tsx'

// A large dialog, and most beads run without options.
const { Part: RunDialog, ahead: runDialogAhead } = lazyPart(
  async () => (await import('./run/run-dialog.tsx')).RunDialog,
)

const { Part: ChangeDialog, ahead: changeDialogAhead } = lazyPart(
  async () => (await import('./change-dialog.tsx')).ChangeDialog,
)

export type BeadCommands = {
  run(card: BeadCard, execution: ExecutionView | null): void
  /** First asks for a note for the agent and a retry policy. */
  runWithOptions(card: BeadCard, execution: ExecutionView | null): void
  cancel(card: BeadCard, execution: ExecutionView | null): void
  /** Asks for another model or time limit for what runs. */
  change(card: BeadCard, execution: ExecutionView | null): void
  /** Pauses what runs, or resumes what is paused. */
  pause(card: BeadCard, execution: ExecutionView | null): void
  busy(bead: string): boolean
  dialog: ReactNode
}

type Asking =
  | { what: 'cancel' | 'change'; card: BeadCard; execution: ExecutionView }
  | { what: 'run'; card: BeadCard; recommended: string | null }

/** Run and cancel, with their dialogs, for any screen that shows beads. */
export function useBeadCommands(project: string, view: ProjectView | undefined): BeadCommands {
  const [asking, setAsking] = useState<Asking | null>(null)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const close = useCallback(() => setAsking(null), [])
  useEffect(
    () =>
      whenIdle(() => {
        runDialogAhead()
        changeDialogAhead()
      }),
    [],
  )

  const queue = useCallback(
    async (card: BeadCard, body: QueueExecution = {}) => {
      setBusy((old) => new Set(old).add(card.id))
      try {
        await queueExecution(project, card.id, body, pressKey())
      } finally {
        setBusy((old) => new Set([...old].filter((id) => id !== card.id)))
      }
    },
    [project],
  )

  return useMemo<BeadCommands>(
    () => ({
      run: (card, execution) => {
        const refusal = runRefusal(card, execution, view)
        if (refusal) toast(`${card.id} cannot run: ${refusal}`)
        else if (card.reason?.code === 'plan_waits')
          toast(`The plan of ${card.id} waits for your approval. Approve it in the bead’s tab Plan`)
        else if (!busy.has(card.id)) void queue(card).catch(toastError)
      },
      runWithOptions: (card, execution) => {
        const refusal = runRefusal(card, execution, view)
        if (refusal) toast(`${card.id} cannot run: ${refusal}`)
        else setAsking({ what: 'run', card, recommended: recommendedText(nextActions(card.status, execution)) })
      },
      cancel: (card, execution) => {
        const refusal = cancelRefusal(execution)
        if (refusal || !execution) toast(`${card.id} cannot be cancelled: ${refusal ?? 'nothing is running'}`)
        else if (execution.state === 'RUNNING') setAsking({ what: 'cancel', card, execution })
        else
          void cancelExecution(execution.id).then(
            () =>
              toast(`${card.id} removed from the queue`, {
                action: { label: 'Undo', run: () => void queue(card, queuedAgain(execution)).catch(toastError) },
              }),
            toastError,
          )
      },
      change: (card, execution) => {
        const refusal = sayRefusal(execution)
        if (refusal || !execution) toast(`${card.id} cannot be changed: ${refusal ?? 'nothing is running'}`)
        else setAsking({ what: 'change', card, execution })
      },
      pause: (card, execution) => {
        const refusal = pauseRefusal(execution)
        if (refusal || !execution) toast(`${card.id} cannot be paused: ${refusal ?? 'nothing is running'}`)
        else if (execution.paused) void resumeExecution(execution.id, pressKey()).catch(toastError)
        else void pauseExecution(execution.id, {}, pressKey()).catch(toastError)
      },
      busy: (bead) => busy.has(bead),
      dialog:
        asking?.what === 'cancel' ? (
          <CancelDialog card={asking.card} execution={asking.execution} onClose={close} />
        ) : asking?.what === 'change' ? (
          <Suspense fallback={null}>
            <ChangeDialog card={asking.card} execution={asking.execution} model={view?.model ?? null} onClose={close} />
          </Suspense>
        ) : asking?.what === 'run' ? (
          <Suspense fallback={null}>
            <RunDialog
              card={asking.card}
              project={view}
              recommended={asking.recommended}
              onClose={close}
              onRun={async (body) => {
                await queue(asking.card, body)
                close()
              }}
            />
          </Suspense>
        ) : null,
    }),
    [asking, busy, close, queue, view],
  )
}

/** A person's choices for an execution, to queue it again. */
export const queuedAgain = ({ context, chosen, retry }: ExecutionView): QueueExecution => ({
  ...(context === '' ? {} : { context }),
  ...chosen,
  ...retry,
  retryMaxTime: retry.retryMaxTime ?? 0,
})
