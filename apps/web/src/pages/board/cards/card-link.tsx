import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { CardActs } from '../use-board-grid.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'

type Props = {
  project: string
  card: BeadCard
  tabIndex: number
  acts: CardActs
  className: string | undefined
}

/**
 * The link from a card to its bead. A plain one: the router's own costs more than the rest of a card, and a moving
 * board draws hundreds of them in a second.
 */
export const CardLink = ({ project, card: { id: bead, title }, tabIndex, acts, className }: Props) => (
  <a
    href={`/p/${encodeURIComponent(project)}/b/${encodeURIComponent(bead)}`}
    className={className}
    title={title}
    tabIndex={tabIndex}
    onPointerEnter={() => acts.preload(bead, 'soon')}
    onFocus={() => acts.preload(bead, 'soon')}
    onPointerDown={() => acts.preload(bead, 'now')}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.button !== 0) return // a new tab, or a download
      event.preventDefault()
      if (event.shiftKey) acts.choose(bead, 'extend')
      else acts.open(bead)
    }}
  >
    <span>{shown(title)}</span>
  </a>
)
