import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { tellFlags } from '@beadloom/core/execution/tell-flags.ts'
import { Link } from '@tanstack/react-router'
import { FlaskConical, FlaskConicalOff, TriangleAlert } from 'lucide-react'
import { Chip } from './chip.tsx'
import { flagWords } from './end-words.ts'
import css from './execution-marks.module.css'
import { StateMark } from './state-mark.tsx'
import { marks } from './states.ts'
import { useLanes } from './use-lanes.ts'
import { shown } from '../../ui/text/hostile-text.ts'

const small = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const

type Props = {
  execution: ExecutionView
  /** Whether the page also has the evidence card, which says whether the new tests failed without the change. */
  proved: boolean
}

/** Findings about an execution, however it ended: flags, each with its sentence, and warning signs. */
export function ExecutionMarks({ execution: { flags, signs, redGreen }, proved }: Props) {
  // Said only once: as a sign, or in the evidence.
  const isNews = redGreen && redGreen.is !== 'running' && !signs.includes(redGreen.text)
  const fact = isNews && !proved ? redGreen : null
  const more = signs.filter((sign) => !flags.some(({ text }) => text === sign))
  if (flags.length + signs.length === 0 && fact === null) return null
  return (
    <ul className={css['marks']} aria-label="Findings">
      {tellFlags(flags).map(({ kind, text }, index) => (
        <li key={`${kind} ${index}`}>
          <Chip tone={flagWords[kind].tone}>{flagWords[kind].word}</Chip>
          <span>{shown(text)}</span>
        </li>
      ))}
      {fact && (
        <li>
          <span className={css['fact']}>
            {fact.is === 'unknown' ? <FlaskConicalOff {...small} /> : <FlaskConical {...small} />}
            <span className="visually-hidden">Tests:</span>
          </span>
          <span>{shown(fact.text)}</span>
        </li>
      )}
      {more.map((sign) => (
        <li key={sign}>
          <span className={css['sign']}>
            <TriangleAlert size={14} strokeWidth={1.75} aria-hidden />
            <span className="visually-hidden">Warning:</span>
          </span>
          <span>{shown(sign)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Beads that were filed because an execution ended as it did. */
export function FollowUps({ execution: { project, followUps } }: { execution: ExecutionView }) {
  const lane = useLanes(project)
  if (followUps.length === 0) return null
  return (
    <div className={css['followUps']}>
      <span className={css['label']}>Follow-ups:</span>
      <ul aria-label="Follow-up beads">
        {followUps.map(({ bead, kind, title, status }) => (
          <li key={bead}>
            <StateMark mark={marks[lane(bead, status) ?? 'open']} bare />
            <Link to="/p/$project/b/$bead" params={{ project, bead }}>
              <span className={css['id']}>{shown(bead)}</span> {shown(title)}
            </Link>
            {/* The titles of all others begin with what happened. */}
            {kind === 'blocked' && <span className={css['label']}>reminder</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
