import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import css from './fixed-issues.module.css'
import { changeBead } from '../../../api/endpoints.ts'
import { StateMark } from '../../bead/state-mark.tsx'
import { marks } from '../../bead/states.ts'
import { useLanes } from '../../bead/use-lanes.ts'
import { IconButton } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'

/** Issues of earlier reviews that this one does not find: most likely fixed, and for a person to close. */
export function FixedIssues({ review: { fixed, project } }: { review: ReviewView }) {
  const lane = useLanes(project)
  if (fixed.length === 0) return null
  return (
    <section className={css['fixed']} aria-labelledby="no-longer-found">
      <h2 id="no-longer-found">No longer found</h2>
      <p>Reported by earlier reviews, not by this one. Close what is fixed.</p>
      <ul>
        {fixed.map(({ bead, title }) => {
          const at = lane(bead, 'open') ?? 'open'
          return (
            <li key={bead}>
              <StateMark mark={marks[at]} bare />
              <Link to="/p/$project/b/$bead" params={{ project, bead }}>
                <span className={css['id']}>{shown(bead)}</span> {shown(title)}
              </Link>
              {at !== 'completed' && (
                <IconButton
                  needs="runner"
                  label={`Close ${bead}`}
                  onClick={() => void changeBead(project, bead, 'done').then(() => toast(`${bead} closed`), toastError)}
                >
                  <Check size={16} strokeWidth={1.5} aria-hidden />
                </IconButton>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
