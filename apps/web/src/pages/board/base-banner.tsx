import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { mendBase, pressKey, proofLog, proveBase, stopProof } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { wallClockText } from '../../ui/text/time-text.ts'
import { toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { Banner } from './banner.tsx'

/** Whether the base of the project's beads is fit to work on; nothing if it is. */
export function BaseBanner({ project }: { project: ProjectView }) {
  const { id, base, workBranch } = project
  if (!base || base.state === 'green') return null
  if (base.state === 'proving')
    return (
      <Banner
        tone="quiet"
        action={
          <Button needs="runner" look="quiet" onClick={() => void stopProof(id).catch(toastError)}>
            Stop
          </Button>
        }
      >
        Checking {shown(workBranch)}: {shown(base.text)}. Beads start once this is done.
      </Banner>
    )
  if (base.state === 'red')
    return (
      <Banner tone="note" action={<Mend project={id} base={base} />}>
        {shown(base.text)}
      </Banner>
    )
  return (
    <Banner
      tone="bad"
      action={
        <>
          <Output project={id} by={base.by} />
          <Button needs="runner" look="quiet" onClick={() => void proveBase(id).catch(toastError)}>
            Check again
          </Button>
          <Mend project={id} base={base} />
        </>
      }
    >
      Nothing starts in this project. {shown(base.text)}{' '}
      {base.againAt === null
        ? base.state === 'broken' && 'It continues by itself once that is fixed.'
        : `Retries at ${wallClockText(base.againAt)}, or as soon as that is fixed.`}
    </Banner>
  )
}

type Base = NonNullable<ProjectView['base']>

/** The output of the failed command, as text; nothing if no command ran. */
function Output({ project, by }: { project: string; by: Base['by'] }) {
  if (by !== 'setup' && by !== 'checks' && by !== 'command') return null
  return (
    <a href={proofLog(project, by === 'setup' ? 'setup' : 'checks')} target="_blank" rel="noreferrer">
      Output
    </a>
  )
}

/** Creates the bead that makes the base green, with one click; afterwards, links to it. */
function Mend({ project, base: { bead, mendable } }: { project: string; base: Base }) {
  const [key] = useState(pressKey)
  const { busy, send } = useSending(toastError)
  if (bead !== null)
    return (
      <Link to="/p/$project/b/$bead" params={{ project, bead }}>
        Being fixed in {bead}
      </Link>
    )
  if (!mendable) return null
  const mend = () => void send(() => mendBase(project, key))
  return (
    <Button needs="runner" look="quiet" busy={busy} onClick={mend}>
      Fix failing checks
    </Button>
  )
}
