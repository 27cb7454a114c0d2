import { commitMessage } from '@beadloom/core/records/branch.ts'
import { coAuthored } from '@beadloom/core/records/identity.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { coAuthorOf, signatureOf } from '../execution/signature.ts'

const MOST_SUBJECTS = 50

/** The message of the one commit that a bead's work becomes, with the subjects of its agent's commits. */
export async function squashedMessage(live: LiveExecution, onto: string, commit: string): Promise<string> {
  const { bead, project, deps } = live
  const subject = commitMessage(bead.id, bead.title)
  const commits = await deps.hub.commits(project.id, onto, commit, MOST_SUBJECTS)
  const said = commits
    .map((one) => oneLine(one.subject))
    .filter((line) => line !== subject && !line.startsWith('Merge '))
  const list = said.length > 0 ? ['', ...said.toReversed().map((line) => `- ${line}`)] : []
  const coAuthor = coAuthorOf(live, await signatureOf(live))
  const message = [subject, ...list, ...(coAuthor ? ['', coAuthored(coAuthor)] : [])].join('\n')
  // Perhaps one of these lines is the reason why the commits become one.
  const [masked = subject] = await deps.aside.masked([message])
  return masked
}

/**
 * Moves the bead's branch from its agent's commits to the one commit made of them, so that its published commits are in
 * the work branch. A branch that somebody has pushed to since stays. Returns the commit that now counts.
 */
export async function squashBranch(live: LiveExecution, commit: string, at: string): Promise<string> {
  const { deps, project, id } = live
  if (commit === at || (await deps.hub.contains(project.id, at, commit))) return commit
  if (!(await deps.hub.advance(project.id, storedOf(live).branch, commit, at))) {
    const tip = await deps.hub.tip(project.id, `refs/heads/${storedOf(live).branch}`)
    if (tip !== at) return commit
  }
  await deps.store.noteExecution(id, { commit: at })
  return at
}
