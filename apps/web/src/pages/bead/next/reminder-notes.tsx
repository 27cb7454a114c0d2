import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { Link } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import type { ReactNode } from 'react'
import banner from './end-banner.module.css'
import { closeBead } from '../../../components/bead/close-bead.ts'
import { leftOver, type Origin } from '../../../components/bead/reminders.ts'
import tones from '../../../components/bead/tones.module.css'
import { useLanes } from '../../../components/bead/use-lanes.ts'
import look from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'

/** Notes on how a bead and beads filed for it relate, if one of them is done before the other. */
export function ReminderNotes({
  bead,
  executions,
  origin,
}: {
  bead: BeadView
  executions: readonly ExecutionView[]
  /** The bead for which this one was filed. */
  origin: Origin | null
}) {
  const { project, id } = bead
  const lane = useLanes(project)
  const left = leftOver(bead.status, executions, (one) => lane(one.bead, one.status) === 'completed')
  return (
    <>
      {left.map((one) => (
        <Note
          key={one.bead}
          action={
            <Button needs="runner" onClick={() => void closeBead(project, one.bead, one.status)}>
              Close {shown(one.bead)}
            </Button>
          }
        >
          <BeadLink project={project} bead={one.bead} /> was filed when this bead failed earlier, and is still open.
          Close it if nothing is left to do.
        </Note>
      ))}
      {origin?.state === 'done' && (
        <Note
          action={
            <Button needs="runner" onClick={() => void closeBead(project, id, bead.status)}>
              Close {shown(id)}
            </Button>
          }
        >
          This was filed for <BeadLink project={project} bead={origin.bead} />, which is done. Close it if nothing is
          left to do.
        </Note>
      )}
      {origin?.state === 'blocked' && (
        <Note
          action={
            <Link
              to="/p/$project/b/$bead"
              params={{ project, bead: origin.bead }}
              className={`${look['button']} ${look['primary']}`}
            >
              Answer on {shown(origin.bead)}
            </Link>
          }
        >
          Reminder: <BeadLink project={project} bead={origin.bead} /> is waiting for your answer. Run that bead with a
          note; this reminder then closes by itself.
        </Note>
      )}
    </>
  )
}

function Note({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <div className={`${banner['banner']} ${banner['quiet']} ${tones['queued']}`} role="note">
      <BellRing size={16} strokeWidth={1.75} aria-hidden />
      <div className={banner['asks']}>
        <p>{children}</p>
        {action}
      </div>
    </div>
  )
}

const BeadLink = ({ project, bead }: { project: string; bead: string }) => (
  <Link to="/p/$project/b/$bead" params={{ project, bead }}>
    {shown(bead)}
  </Link>
)
