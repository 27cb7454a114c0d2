import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { priorityText } from '@beadloom/core/bead/priority-words.ts'
import { cancelRefusal, runRefusal } from '../../../components/bead/bead-actions.ts'
import { marks } from '../../../components/bead/states.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import type { CardGroup, Grouping } from '@beadloom/core/board/board-groups.ts'
import { refusalOf } from '../../../ui/allowed.ts'

/** The effect of dropping a card in a place. */
export type Move = { to: 'queue' } | { to: 'open' } | { to: 'done' } | { to: 'priority'; priority: number }
/** A drop target: what it does to cards, or why it refuses them. */
export type Place = Move | { to: 'nowhere'; why: string }

const noLane: Partial<Record<Lane, string>> = {
  blocked: 'A bead is blocked when its agent asks something, or when it waits for another bead',
  failed: 'Only an execution that fails puts a bead here',
  timeout: 'Only an execution that runs out of time puts a bead here',
}
const noGroup: Record<Exclude<Grouping, 'state' | 'priority'>, string> = {
  epic: 'Change epics in the tracker',
  label: 'Change labels on the bead’s page',
  assignee: 'Change the assignee in the tracker',
}

/** A column's effect on a card dropped in it. */
export function placeOf({ key, lane }: Pick<CardGroup, 'key' | 'lane'>, by: Grouping): Place {
  if (by === 'priority') return { to: 'priority', priority: Number(key) }
  if (by !== 'state') return { to: 'nowhere', why: noGroup[by] }
  switch (lane) {
    case 'queued':
    case 'running':
      return { to: 'queue' }
    case 'open':
      return { to: 'open' }
    case 'completed':
      return { to: 'done' }
    default:
      return { to: 'nowhere', why: (lane && noLane[lane]) ?? 'Beads cannot be moved here' }
  }
}

/** The reason why this move is impossible; null: it is possible. The server decides again. */
export function moveRefusal(move: Move, item: BoardCard, view: ProjectView | undefined): string | null {
  const { card, lane, execution, through } = item
  const refused = refusalOf('runner')
  if (refused !== null) return refused
  const isLive = lane === 'queued' || lane === 'running'
  switch (move.to) {
    case 'queue':
      if (card.reason?.code === 'plan_waits') return 'its plan waits for your approval'
      return runRefusal(card, execution, view)
    case 'priority':
      return card.priority === move.priority ? `it is P${card.priority} already` : null
    case 'open':
      if (through && isLive) return `its follow-up ${through.card.id} is ${lane}; cancel that first`
      if (lane === 'queued') return cancelRefusal(execution)
      if (lane === 'running') return 'it is running; cancel it first'
      return card.status === 'open' ? 'it is open already' : null
    case 'done':
      if (isLive) return `it is ${lane}; cancel it first`
      return card.status === 'done' ? 'it is already closed' : null
  }
}

/** Whether all cards are in this place already: then dropping them there changes nothing. */
export function isThere(place: Place, items: readonly BoardCard[], column: Lane | null): boolean {
  return items.every(({ card, lane }) => {
    if (place.to === 'priority') return card.priority === place.priority
    if (place.to === 'queue') return lane === 'queued' || lane === 'running'
    if (place.to === 'open') return lane === 'open'
    return place.to === 'done' ? lane === 'completed' : lane === column
  })
}

/** Text for a person who holds cards over a place: its effect, or why there is none. */
export type Offer = { does: string } | { why: string }

export function offerOf(place: Place, items: readonly BoardCard[], view: ProjectView | undefined): Offer {
  if (place.to === 'nowhere') return { why: place.why }
  const refusals = items.map((item) => ({ id: item.card.id, why: moveRefusal(place, item, view) }))
  const first = refusals.find(({ why }) => why !== null)
  if (first !== undefined && refusals.every(({ why }) => why !== null))
    return { why: `${first.id} cannot move here: ${first.why}` }
  const taken = refusals.filter(({ why }) => why === null).length
  return { does: taken === items.length ? moveWord(place) : `${moveWord(place)} (${taken} of ${items.length})` }
}

export function moveWord(move: Move): string {
  switch (move.to) {
    case 'queue':
      return 'Run'
    case 'open':
      return marks.open.word
    case 'done':
      return 'Close'
    case 'priority':
      return priorityText(move.priority)
  }
}

/** The participle for a move, after a number or an id: "bl-1 queued". */
export function doneWord(move: Move): string {
  switch (move.to) {
    case 'queue':
      return 'queued'
    case 'open':
      return 'moved to Open'
    case 'done':
      return 'closed'
    case 'priority':
      return `set to P${move.priority}`
  }
}
