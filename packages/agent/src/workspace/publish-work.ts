import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beadOfMessage, namesBead } from '@beadloom/core/records/branch.ts'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import { lastLines, type Git } from './git.ts'
import { rebasesOnto } from './rebases.ts'
import { addAll, identity, isClosed, signed } from './save-leftover.ts'
import { section, type SessionDeps } from '../commands/session-deps.ts'
import { SessionFailure } from '../ends/session-failure.ts'

/**
 * Commits the uncommitted work of an agent that ended well, and pushes the branch. If the hub rejects the push because
 * the branch has moved, rebases and pushes once more, unless the agent has rebased already: one rebase is all.
 *
 * @param before the number of rebases before the agent began
 * @returns the commit that the hub's branch now has
 * @throws SessionFailure with the reason `push_conflict` if the one rebase did not help
 */
export async function publishWork(git: Git, deps: SessionDeps, commitMessage: string, before: number): Promise<string> {
  const { order } = deps
  await refuseUnfinished(git)
  await returnToBranch(git, deps)
  if (await hasChanges(git)) {
    await section(deps, 'commit', () => commitAll(git, order.git, commitMessage))
  }
  await nameTheBead(git, deps, commitMessage)
  await section(deps, 'push', () => pushBranch(git, order.git, before), {
    command: `git push origin ${order.git.branch}`,
  })
  const head = await git.commitOf('HEAD')
  if (!head) throw new SessionFailure('the workspace has no commit after the push')
  return head
}

/**
 * Makes the newest commit of the session name its bead, whatever the agent called it: the agent's message is kept below
 * ours. A commit that the hub has already stays as it is: nobody wants an empty commit after it.
 */
async function nameTheBead(git: Git, deps: SessionDeps, message: string): Promise<void> {
  const { order, writer } = deps
  const bead = beadOfMessage(message)
  if (bead === null) return
  const others = [`--exclude=origin/${order.git.branch}`, '--remotes=origin']
  const range = ['rev-list', '--max-count=1', 'HEAD', '--not', order.git.commit, ...others]
  const newest = (await git.run(range)).stdout.trim()
  if (newest === '' || newest !== (await git.commitOf('HEAD'))) return // nothing was committed, or by others
  const said = (await git.run(['log', '-1', '--format=%B', 'HEAD'])).stdout.trim()
  if (namesBead(said, bead)) return
  const args = [...identity(order.git), 'commit', '--no-verify', '--cleanup=whitespace', '--file=-']
  if (await isInHub(git, order.git, newest)) {
    await writer.write({ type: 'warning', text: "the agent's commit does not name its bead, and was pushed already" })
    return
  }
  const stdin = said === '' ? signed(order.git, message) : `${message}\n\n${said}`
  await section(deps, 'commit', () =>
    git.must('the commit could not be given the name of its bead', [...args, '--amend', '--only'], { stdin }),
  )
  await writer.write({ type: 'warning', text: "the agent's commit did not name its bead: its message does now" })
}

/** Asks the hub, because an agent may have pushed in a way that leaves no trace here. */
async function isInHub(git: Git, { url, branch }: GitOrder, commit: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`
  const { stdout } = await git.talk(['ls-remote', url, ref])
  const tip = stdout.split('\t')[0]?.trim() ?? ''
  return tip !== '' && (tip === commit || (await git.isAncestor(commit, tip)))
}

/** Whether there is something not committed and not ignored, or a folder that cannot be read. */
export async function hasChanges(git: Git): Promise<boolean> {
  const { code, stdout, stderr } = await git.run(['status', '--porcelain', '-z'])
  if (code !== 0) throw new SessionFailure(`the state of the workspace could not be read: ${lastLines(stderr)}`)
  return stdout !== '' || isClosed(stderr)
}

const unfinished: Record<string, string> = {
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
}

async function refuseUnfinished(git: Git): Promise<void> {
  for (const [file, what] of Object.entries(unfinished)) {
    const found = await stat(join(git.directory, file)).catch(() => null)
    if (found) throw pushConflict(`the agent ended in the middle of a ${what} and left it unfinished`)
  }
}

/**
 * Returns to our branch. An agent may have worked on its own branch, or detached; its work counts if it continues ours.
 */
async function returnToBranch(git: Git, { order, writer }: SessionDeps): Promise<void> {
  const { branch } = order.git
  const current = (await git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim()
  if (current === branch) return
  const where = current ? `on the branch ${current}` : 'without a branch (detached HEAD)'
  const base = (await git.commitOf(`refs/heads/${branch}`)) ?? (await git.commitOf(`refs/remotes/origin/${branch}`))
  if (!base || (await git.isAncestor(base, 'HEAD'))) {
    await git.must(`the branch ${branch} could not be moved`, ['branch', '--force', branch, 'HEAD'])
    await git.must(`the branch ${branch} could not be made the current branch again`, [
      'symbolic-ref',
      'HEAD',
      `refs/heads/${branch}`,
    ])
  } else if (!(await hasChanges(git)) && (await git.isAncestor('HEAD', base))) {
    await git.must(`the branch ${branch} could not be checked out again`, ['checkout', '--quiet', branch, '--'])
  } else {
    throw new SessionFailure(`the agent ended ${where}, with work that does not continue the branch ${branch}`)
  }
  await writer.write({ type: 'warning', text: `the agent ended ${where}; its work was moved to ${branch}` })
}

async function commitAll(git: Git, order: GitOrder, message: string): Promise<void> {
  await addAll(git)
  if ((await git.run(['diff', '--cached', '--quiet'])).code === 0) return // only changes that cannot be committed
  const args = [...identity(order), 'commit', '--no-verify', '--cleanup=whitespace', '--file=-']
  await git.must("the agent's uncommitted work could not be committed", args, {
    stdin: signed(order, message),
    show: true,
  })
}

async function pushBranch(git: Git, order: GitOrder, before: number): Promise<void> {
  const first = await push(git, order)
  if (first.result === 'refused') throw new SessionFailure(`the hub refused the push: ${first.why}`)
  if (first.result === 'pushed') return
  if ((await rebasesOnto(git, order)) > before)
    throw pushConflict(`${order.branch} has moved in the hub again, after the agent had rebased its work once`)
  const args = [...identity(order), 'pull', '--rebase', '--no-recurse-submodules', order.url, order.branch]
  const pulled = await git.talk(args, { show: true })
  if (pulled.code !== 0) {
    const files = await conflictingFiles(git)
    await git.run(['rebase', '--abort'])
    const why = files
      ? `there are conflicts in ${files}`
      : `the rebase failed: ${lastLines(pulled.stdout + pulled.stderr)}`
    throw pushConflict(`${order.branch} has moved in the hub, and ${why}`)
  }
  const second = await push(git, order)
  if (second.result !== 'pushed') throw pushConflict(`the push failed again after a rebase: ${second.why}`)
}

const pushConflict = (why: string) => new SessionFailure(why, 'push_conflict')

async function conflictingFiles(git: Git): Promise<string> {
  const { stdout } = await git.run(['diff', '--name-only', '--diff-filter=U', '-z'])
  const names = stdout.split('\0').filter(Boolean)
  return (
    names
      .slice(0, 10)
      .map((name) => JSON.stringify(name).slice(1, -1))
      .join(', ') + (names.length > 10 ? ', …' : '')
  )
}

type Push = { result: 'pushed' } | { result: 'behind' | 'refused'; why: string }

async function push(git: Git, order: GitOrder): Promise<Push> {
  const ref = `refs/heads/${order.branch}`
  const { code, stdout, stderr } = await git.talk(['push', '--porcelain', '--no-verify', order.url, `HEAD:${ref}`], {
    show: true,
  })
  if (code === 0) {
    await git.run(['update-ref', `refs/remotes/origin/${order.branch}`, 'HEAD']) // as a plain push of the agent would
    return { result: 'pushed' }
  }
  const behind = /^!\t.*\[rejected\] \((?:non-fast-forward|fetch first|stale info)\)/m.test(stdout)
  return { result: behind ? 'behind' : 'refused', why: lastLines(`${stdout}\n${stderr}`) }
}
