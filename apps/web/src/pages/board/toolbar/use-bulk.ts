import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useState } from 'react'
import { bulkText, inBulk, type BulkResult } from './bulk.ts'
import { moveRefusal } from '../moves/moves.ts'
import { cancelExecution, changeBead, pressKey, queueExecution } from '../../../api/endpoints.ts'
import { cancelRefusal, runRefusal } from '../../../components/bead/bead-actions.ts'
import { actingOf, type BoardCard } from '@beadloom/core/board/board-card.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

export type BulkOutcome = { text: string; refused: BulkResult['refused'] }
export type Bulk = {
  busy: boolean
  doing: string | null
  result: BulkOutcome | null
  run(): Promise<void>
  cancel(): Promise<void>
  close(): Promise<void>
  copy(): void
}

/** The actions for all selected beads at once, and the result for each. */
export function useBulk(project: string, view: ProjectView | undefined, cards: readonly BoardCard[]): Bulk {
  const { busy, doing, send } = useSending(toastError)
  const [result, setResult] = useState<BulkOutcome | null>(null)

  const perform = (
    name: string,
    word: string,
    refusal: (card: BoardCard) => string | null,
    act: (card: BoardCard) => Promise<unknown>,
    then?: (done: string[]) => void,
  ): Promise<void> =>
    send(async () => {
      setResult(null)
      const all = await inBulk(cards, refusal, act)
      setResult({ text: bulkText(all, word), refused: all.refused })
      then?.(all.done)
    }, name)
  const run = () =>
    perform(
      'run',
      'queued',
      ({ card, execution }) => runRefusal(card, execution, view),
      ({ card }) => queueExecution(project, card.id, {}, pressKey()),
    )
  const cancel = () =>
    perform(
      'cancel',
      'cancelled',
      (item) => cancelRefusal(actingOf(item).execution),
      (item) => cancelExecution(actingOf(item).execution?.id ?? ''),
    )
  const close = () =>
    perform(
      'close',
      'closed',
      closeRefusal,
      ({ card }) => changeBead(project, card.id, 'done'),
      (done) => {
        if (done.length === 0) return
        const reopen = () => void Promise.all(done.map((bead) => changeBead(project, bead, 'open'))).catch(toastError)
        toast(`${done.length} closed`, { action: { label: 'Undo', run: reopen } })
      },
    )
  const copy = () =>
    void navigator.clipboard
      .writeText(cards.map(({ card }) => card.id).join(' '))
      .then(() => setResult({ text: `${counted(cards.length, 'ID')} copied`, refused: [] }), toastError)
  return { busy, doing, result, run, cancel, close, copy }
}

export const closeRefusal = (item: BoardCard): string | null => moveRefusal({ to: 'done' }, item, undefined)
