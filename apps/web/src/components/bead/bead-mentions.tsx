import type { Reason } from '@beadloom/core/plan-dispatch.ts'
import { Link } from '@tanstack/react-router'
import css from './bead-mentions.module.css'
import { mentionsIn } from './mentions.ts'
import { StateMark } from './state-mark.tsx'
import { marks } from './states.ts'
import { useLanes } from './use-lanes.ts'
import { shown } from '../../ui/hostile-text.ts'

type Props = {
  /** A sentence that may name beads; by default the reason's own. */
  text?: string
  reason: Reason
  project: string
  /** -1 keeps the links out of the order of Tab. */
  tabIndex?: number
}

/** Why a bead waits; each bead that it waits for is a link with the glyph of where that one stands. */
export function BeadMentions({ reason, project, text = reason.text, tabIndex }: Props) {
  const lane = useLanes(project)
  return mentionsIn(text, reason.beads ?? []).map((part, index) => {
    if ('text' in part) return shown(part.text)
    const at = lane(part.bead)
    return (
      <Link
        key={index}
        to="/p/$project/b/$bead"
        params={{ project, bead: part.bead }}
        className={css['bead']}
        tabIndex={tabIndex}
      >
        {at !== null && <StateMark mark={marks[at]} bare />}
        {shown(part.bead)}
      </Link>
    )
  })
}
