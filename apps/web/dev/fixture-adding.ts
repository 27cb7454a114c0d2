import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { AddProject } from '@beadloom/core/api/projects/project-requests.ts'

/* No repository is added here: as a server refuses it, by its code and in its words. */

export function whyNotAdded({ source, base }: AddProject): [code: string, text: string] {
  if (source.endsWith('/detached') && !base)
    return [
      'repository_no_default_branch',
      `${source} has no default branch: its HEAD is at the commit 8d1f0c2b7a6e and on no branch (a detached HEAD), and there is neither main nor master. It has next, release/2.x and trunk; at that commit is trunk. Name the one that work starts from as the base branch: --base trunk`,
    ]
  return [
    'not_a_repository',
    `${source} is not a git repository on this computer. Give the folder that holds .git, or a URL.`,
  ]
}

/** A repository that is being added. */
export const large: AddingView = {
  project: 'large',
  source: '/home/you/code/large',
  since: Date.now() - 20_000,
  doing: 'receiving objects',
  percent: 42,
  bytes: 412 * 1024 ** 2,
}
