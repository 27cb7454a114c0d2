import type { ProjectView, ServerStatus } from '@beadloom/core/api/api.ts'
import { allTokens } from '@beadloom/core/execution/token-use.ts'
import { CircleX, Hourglass, TriangleAlert } from 'lucide-react'
import { memo, useState } from 'react'
import type { ReactNode } from 'react'
import css from './board-banners.module.css'
import { resumeProject, syncProject } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { countOf, countText } from '../../ui/count-text.ts'
import { toastError } from '../../ui/toast.tsx'

type Props = {
  project: ProjectView | null
  status: ServerStatus | null
  /** How many of the project's beads are queued. */
  queued: number
}

/** What keeps the whole project from running, and warnings from reading its beads. */
export const BoardBanners = memo(function BoardBanners({ project, status, queued }: Props) {
  const slots = status?.slots
  return (
    <>
      {project?.problem && (
        <Banner
          tone="bad"
          action={
            project.problemKind === 'configuration' && (
              <Button onClick={() => void syncProject(project.id).catch(toastError)}>Sync again</Button>
            )
          }
        >
          This project cannot run: {project.problem}
          {project.problemKind === 'configuration' &&
            `. Fix it on ${project.baseBranch ?? 'the base branch'} and commit.`}
        </Banner>
      )}
      {status && !status.docker.ok && (
        <Banner tone="bad">Nothing new starts; running work is kept. {status.docker.text}</Banner>
      )}
      {project?.paused && (
        <Banner
          tone="note"
          action={<Button onClick={() => void resumeProject(project.id).catch(toastError)}>Resume</Button>}
        >
          This project is paused: nothing new starts.
        </Banner>
      )}
      {slots && slots.used >= slots.total && queued > 0 && project?.paused !== true && (
        <Banner tone="quiet">
          {countOf(queued, 'bead')} waiting for a free slot ({slots.used} of {slots.total} in use).
        </Banner>
      )}
      {project && <DayBudget project={project} />}
      {project && project.warnings.length > 0 && <Warnings warnings={project.warnings} />}
    </>
  )
})

/** From here on people are warned before everything stops. */
const NEARLY = 0.8

function DayBudget({ project: { tokens } }: { project: ProjectView }) {
  if (!tokens?.perDay) return null
  const used = allTokens(tokens.today) / tokens.perDay
  if (used < NEARLY || used >= 1) return null // used up: the project's problem says so
  return (
    <Banner tone="note">
      {Math.floor(used * 100)}% of today’s {countText(tokens.perDay)} tokens are used. At 100% this project stops until
      midnight UTC.
    </Banner>
  )
}

function Warnings({ warnings }: { warnings: string[] }) {
  const [open, setOpen] = useState(false)
  if (warnings.length === 1) return <Banner tone="note">{warnings[0]}</Banner>
  return (
    <Banner
      tone="note"
      action={
        <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
      }
    >
      {warnings.length} warnings from reading the beads
      {open && (
        <ul className={css['warnings']}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </Banner>
  )
}

const icons = { bad: CircleX, note: TriangleAlert, quiet: Hourglass }

type BannerProps = { tone: keyof typeof icons; children: ReactNode; action?: ReactNode }

function Banner({ tone, children, action }: BannerProps) {
  const Icon = icons[tone]
  return (
    <div className={`${css['banner']} ${css[tone]}`} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <div className={css['text']}>{children}</div>
      {action}
    </div>
  )
}
