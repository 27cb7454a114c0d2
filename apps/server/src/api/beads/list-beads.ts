import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { compareText, hiddenOnBoard } from '@beadloom/core/bead/ready.ts'
import type { BeadFilterWord, ListedBead } from '@beadloom/core/records/bead.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { badCursor } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'
import type { Problem } from '../../ports/problem.ts'

type Filter = {
  status?: BeadFilterWord | undefined
  ready?: boolean | undefined
  limit: number
  cursor?: string | undefined
}

const is = (bead: ListedBead, word: BeadFilterWord): boolean =>
  word === 'failed' ? bead.failed === true : bead.status === word

/** The cards of the board, most urgent first. */
export function listBeads(
  views: Pick<ServerViews, 'cards'>,
  project: ProjectId,
  filter: Filter,
): Page<BeadCard> | Problem {
  const { status, ready, limit } = filter
  const from = filter.cursor === undefined ? 0 : Number(filter.cursor)
  if (!Number.isSafeInteger(from) || from < 0) return badCursor()
  const to = from + limit
  const { cards, count } = views.cards(project, {
    wants: (bead, isReady) =>
      !hiddenOnBoard(bead) && (!status || is(bead, status)) && (ready === undefined || isReady(bead) === ready),
    order: (a, b) => a.priority - b.priority || b.createdAt - a.createdAt || compareText(a.id, b.id),
    from,
    to,
  })
  return to < count ? { items: cards, next: String(to) } : { items: cards }
}
