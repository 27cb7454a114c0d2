import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import { Link } from '@tanstack/react-router'
import { ExternalLink, GitPullRequestArrow, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { pullRequestWords } from './pull-request-state.ts'
import css from '../review-button.module.css'
import { ReviewLink } from '../review-link.tsx'
import tones from '../../bead/tones.module.css'
import { cancelPullRequest } from '../../../api/endpoints.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Hint } from '../../../ui/hint.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toastError } from '../../../ui/toast.tsx'

const PullRequestDialog = lazy(async () => ({ default: (await import('./pull-request-dialog.tsx')).PullRequestDialog }))

type Props = {
  project: ProjectView
  /** The reason why neither a review nor a pull request can be requested; null: both can. */
  refusal: string | null
}

/** Requests a pull request of the work branch, and shows the state of the last one. */
export function PullRequestButton({ project, refusal }: Props) {
  const [asking, setAsking] = useState(false)
  const view = project.pullRequest
  const words = view === null ? null : pullRequestWords(view)
  const open = (
    <Button
      needs="runner"
      blockedBy={project.problem ?? refusal}
      onClick={() => setAsking(true)}
      aria-label="Pull request"
      icon={<GitPullRequestArrow size={16} strokeWidth={1.5} aria-hidden />}
    >
      <span className={css['label']}>Pull request</span>
    </Button>
  )
  return (
    <span className={css['group']}>
      {view !== null && words !== null && <Result project={project.id} view={view} />}
      {view !== null && words?.live === true && (
        <IconButton
          needs="runner"
          label="Cancel pull request"
          onClick={() =>
            void cancelPullRequest(view.id).then(() => announce('Cancelling the pull request'), toastError)
          }
        >
          <X size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      {words?.live !== true && open}
      {asking && (
        <Suspense>
          <PullRequestDialog project={project} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </span>
  )
}

function Result({ project, view }: { project: string; view: PullRequestView }) {
  const { text, tone, why, link } = pullRequestWords(view)
  const look = `${css['result']} ${tones[tone]}`
  const inside: ReactNode = (
    <>
      <GitPullRequestArrow size={16} strokeWidth={1.75} aria-hidden />
      {text}
    </>
  )
  const about = shown(why || text)
  if (link?.is === 'forge')
    return (
      <Hint text={about}>
        <a className={look} href={link.url} target="_blank" rel="noopener noreferrer">
          {inside}
          <span className={css['host']}>{shown(link.host)}</span>
          <ExternalLink size={12} strokeWidth={2} aria-hidden />
        </a>
      </Hint>
    )
  if (link?.is === 'review')
    return (
      <Hint text={about}>
        <ReviewLink project={project} bead={null} id={link.id} className={look}>
          {inside}
        </ReviewLink>
      </Hint>
    )
  return (
    <Hint text={about}>
      <Link to="/p/$project/reviews" params={{ project }} className={look}>
        {inside}
      </Link>
    </Hint>
  )
}
