import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { Link } from '@tanstack/react-router'
import css from './bead-mentions.module.css'
import { StateMark } from './state-mark.tsx'
import { marks } from './states.ts'
import { useLane } from './use-lanes.ts'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = {
  /** A sentence that may contain ids of beads; by default the reason's own. */
  text?: string
  reason: Reason
  project: string
  /** -1 takes the links out of the Tab order. */
  tabIndex?: number
}

/** The reason why a bead waits; each bead that it waits for is a link with the glyph of its state. */
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

type Part = { text: string } | { bead: string }

/** Cuts a sentence at its ids of beads ("waits for bl-1 and bl-2"), to turn them into links. */
export function mentionsIn(text: string, beads: readonly string[]): Part[] {
  const parts: Part[] = []
  const ids = beads.filter((bead) => bead !== '').toSorted((a, b) => b.length - a.length) // bl-1.2 before bl-1
  let plain = ''
  for (let at = 0; at < text.length;) {
    const bead = ids.find((id) => text.startsWith(id, at) && !/[\w.-]/.test(text[at - 1] ?? ' ') && ends(text, at, id))
    if (bead === undefined) {
      plain += text[at++] ?? ''
      continue
    }
    if (plain !== '') parts.push({ text: plain })
    plain = ''
    parts.push({ bead })
    at += bead.length
  }
  if (plain !== '') parts.push({ text: plain })
  return parts
}

/** The id must not be the beginning of a longer one. A dot ends a sentence unless more of an id follows. */
const ends = (text: string, at: number, id: string): boolean => !/^(?:[\w-]|\.\w)/.test(text.slice(at + id.length))
