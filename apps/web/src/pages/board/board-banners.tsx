import { capital } from '@beadloom/core/text/sentence.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'
import { memo, useState } from 'react'
import { resumeProject, syncProject } from '../../api/endpoints.ts'
import { Button } from '../../ui/button.tsx'
import { countText } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { toastError } from '../../ui/toast.tsx'
import { Banner, warningsClass } from './banner.tsx'
import { BaseBanner } from './base-banner.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { isDemo } from '../../feed/demo.ts'

type Props = {
  project: ProjectView | null
  status: ServerStatus | null
}

/** Problems that keep the whole project from running, and warnings from reading its beads. */
export const BoardBanners = memo(function BoardBanners({ project, status }: Props) {
  return (
    <>
      {project && isDemo(project) && <DemoBanner />}
      {project && <BaseBanner project={project} />}
      {project?.problem && project.problemKind !== 'base' && (
        <Banner
          tone="bad"
          action={
            project.problemKind === 'configuration' && (
              <Button needs="runner" onClick={() => void syncProject(project.id).catch(toastError)}>
                Sync again
              </Button>
            )
          }
        >
          This project cannot run: {shown(project.problem)}
          {project.problemKind === 'configuration' &&
            `. Fix it on ${project.baseBranch ?? 'the base branch'} and commit.`}
        </Banner>
      )}
      {status && !status.docker.ok && (
        <Banner tone="bad">Nothing new starts; running work is kept. {shown(status.docker.text)}</Banner>
      )}
      {project?.paused && (
        <Banner
          tone="note"
          action={
            <Button needs="runner" onClick={() => void resumeProject(project.id).catch(toastError)}>
              Resume
            </Button>
          }
        >
          This project is paused: nothing new starts.
        </Banner>
      )}
      {project?.brake && project.paused !== true && (
        <Banner
          tone="note"
          action={
            <Button needs="runner" onClick={() => void resumeProject(project.id).catch(toastError)}>
              Let it continue
            </Button>
          }
        >
          {shown(capital(project.brake.text))}.
        </Banner>
      )}
      {project && <DayBudget project={project} />}
      {project && <Warnings warnings={project.warnings.filter((text) => text !== project.base?.text)} />}
    </>
  )
})

/** From this share on, people are warned before everything stops. */
const NEARLY = 0.8

function DayBudget({ project: { tokens } }: { project: ProjectView }) {
  if (!tokens?.perDay) return null
  const used = allTokens(tokens.today) / tokens.perDay
  if (used < NEARLY || used >= 1) return null // used up: the project's problem says so
  return (
    <Banner tone="note">
      {Math.floor(used * 100)}% of today’s {countText(tokens.perDay)} tokens are used. At 100%{' '}
      {tokens.asks ? 'running work waits for you, and nothing else starts' : 'this project stops'} until midnight UTC.
    </Banner>
  )
}

function Warnings({ warnings }: { warnings: string[] }) {
  const [open, setOpen] = useState(false)
  if (warnings.length === 0) return null
  if (warnings.length === 1) return <Banner tone="note">{shown(warnings[0] ?? '')}</Banner>
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
        <ul className={warningsClass}>
          {warnings.map((warning) => (
            <li key={warning}>{shown(warning)}</li>
          ))}
        </ul>
      )}
    </Banner>
  )
}
