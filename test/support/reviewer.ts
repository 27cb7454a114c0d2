import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { Files } from './repository.ts'
import { commitAndPush, shellProject, type ShellProject } from './shell-project.ts'
import type { World } from './world.ts'

/** One issue in the form of a reviewer. */
export const issue = (title: string, more: object = {}) => ({
  title,
  description: 'It greets nobody in particular.',
  priority: 1,
  type: 'bug',
  severity: 'high',
  file_path: 'greeting.txt',
  line_numbers: [1],
  ...more,
})

export const answer = (issues: object[] = [], ready = issues.length === 0): string =>
  JSON.stringify({ issues, summary: 'It says hello.', pr_ready: ready })

/** A project whose author writes a greeting, with a shell script as reviewer. */
export function reviewedProject({
  reviewer,
  bead,
  ...project
}: Partial<ShellProject> & { reviewer: string; bead: string }): Files {
  return {
    ...shellProject({
      agent: `echo hello > greeting.txt\n${commitAndPush(bead, 'Greet')}`,
      ...project,
      config: { review: { command: 'sh reviewer.sh' }, ...project.config },
    }),
    'reviewer.sh': reviewer,
  }
}

/** Asks for a review and waits until it has ended and its beads are filed. */
export async function reviewed(
  world: World,
  project: string,
  body: object = {},
): Promise<{ status: number; view: ReviewView }> {
  const asked = await world.api<ReviewView>('POST', `/api/projects/${project}/reviews`, body)
  if (asked.status >= 300) throw new Error(`the review was refused: ${JSON.stringify(asked.body)}`)
  await world.ended(asked.body.id)
  return { status: asked.status, view: await world.get<ReviewView>(`/api/reviews/${asked.body.id}`) }
}
