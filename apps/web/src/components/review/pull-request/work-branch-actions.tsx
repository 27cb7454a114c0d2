import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useNavigate } from '@tanstack/react-router'
import { PullRequestButton } from './pull-request-button.tsx'
import { ReviewButton } from '../review-button.tsx'
import { useReviewCommands } from '../review-commands.tsx'
import css from './work-branch-actions.module.css'
import { useKeys } from '../../../ui/keys/keys.ts'

/** Review and pull request of the work branch. */
export function WorkBranchActions({ project }: { project: ProjectView }) {
  const navigate = useNavigate()
  const commands = useReviewCommands({
    project: project.id,
    bead: null,
    problem: project.problem,
    open: (review) => void navigate({ to: '/p/$project/reviews/$review', params: { project: project.id, review } }),
  })
  useKeys('Work branch', [{ keys: ['R'], does: 'Review the work branch', run: commands.press }])
  return (
    <div className={css['actions']}>
      <ReviewButton
        commands={commands}
        what={project.workBranch || 'the work branch'}
        project={project.id}
        bead={null}
      />
      <PullRequestButton project={project} refusal={null} />
    </div>
  )
}
