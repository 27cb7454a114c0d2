import type { Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import { Link } from '@tanstack/react-router'
import css from './bead-mentions.module.css'
import { mentionsIn } from './mentions.ts'
import { StateMark } from './state-mark.tsx'
import { marks } from './states.ts'
import { useLane } from './use-lanes.ts'
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
export const BeadMentions = ({ reason, project, text = reason.text, tabIndex }: Props) =>
  mentionsIn(text, reason.beads ?? []).map((part, index) =>
    'text' in part ? shown(part.text) : <Mention key={index} project={project} bead={part.bead} tabIndex={tabIndex} />,
  )

function Mention({ project, bead, tabIndex }: { project: string; bead: string; tabIndex: number | undefined }) {
  const lane = useLane(project, bead)
  return (
    <Link to="/p/$project/b/$bead" params={{ project, bead }} className={css['bead']} tabIndex={tabIndex}>
      {lane !== null && <StateMark mark={marks[lane]} bare />}
      {shown(bead)}
    </Link>
  )
}
