import { CircleStop, Play, X } from 'lucide-react'
import type { ShownCard } from '../columns/held-columns.ts'
import type { CardActs } from '../use-board-grid.tsx'
import { cancelRefusal } from '../../../components/bead/bead-actions.ts'
import { actingOf } from '@beadloom/core/board/board-card.ts'

type Props = {
  item: ShownCard
  /** The reason why it cannot be run now. */
  refusal: string | null
  busy: boolean
  tabIndex: number
  acts: CardActs
  className: string | undefined
}

/** Run or cancel. The hint that all cards share shows its name, and why it cannot be pressed. */
export function CardAction({ item, refusal, busy, tabIndex, acts, className }: Props) {
  const { lane } = item
  const { card, execution } = lane === 'queued' || lane === 'running' ? actingOf(item) : item
  const live = lane === 'queued' || lane === 'running'
  if (!live && card.reminderOf !== undefined) return null // there is nothing to run
  const label = `${live ? 'Cancel' : 'Run'} ${card.id}`
  const blockedBy = live ? cancelRefusal(execution) : refusal
  const off = blockedBy !== null || (busy && !live)
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      aria-description={blockedBy ?? undefined}
      aria-disabled={off || undefined}
      data-hint={blockedBy === null ? label : `${label}: ${blockedBy}`}
      data-hint-keys={live ? 'c' : 'r'}
      tabIndex={tabIndex}
      onClick={() => {
        if (!off) acts[live ? 'cancel' : 'run'](item)
      }}
    >
      {lane === 'running' ? (
        <CircleStop size={16} strokeWidth={1.5} aria-hidden />
      ) : live ? (
        <X size={16} strokeWidth={1.5} aria-hidden />
      ) : (
        <Play size={15} strokeWidth={1.5} aria-hidden />
      )}
    </button>
  )
}
