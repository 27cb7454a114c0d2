import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import type { Rewrite } from '../../ports/hub.ts'

/* A project's sentences about the branches and hooks of its repository. */

export const checkedOutText = (branch: string, folder: string): string =>
  `${branch} is checked out in ${folder}, so no work could be published there: a branch is never moved under somebody's feet. Switch that working tree to another branch, or choose another "workBranch" in beadloom.json.`

export const takenText = (branch: string, other: string): string =>
  `The repository has a branch ${other}, so there can be no ${branch}, where verified work is collected: git keeps one as a folder of the other. Choose another "workBranch" in beadloom.json, or rename ${other}.`

export const rewrittenText = ({ baseBranch, workBranch }: ProjectSettings, { before, commits }: Rewrite): string =>
  `${baseBranch} was rewritten by a forced push, in place of ${before.slice(0, 10)}. ${workBranch} still has ${counted(commits, 'commit')} of what it was before, which come back when that is merged. If they are to be gone, revert them on ${workBranch}: git log ${baseBranch}..${workBranch} lists them.`

export const hooksText = (hooks: readonly string[]): string =>
  `The repository's hooks do not run when work is published (${hooks.join(', ')}): Beadloom runs nothing of a repository on this machine. If they have to run, give the repository by an ssh or https address.`
