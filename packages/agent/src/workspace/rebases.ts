import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import type { Git } from './git.ts'

/** The number of rebases onto the hub's newer branch, according to git's notes in the workspace. */
export async function rebasesOnto(git: Git, { branch }: Pick<GitOrder, 'branch'>): Promise<number> {
  const { stdout } = await git.run(['reflog', '--format=%gs', 'HEAD'])
  return stdout.split('\n').filter((line) => isOnto(line, branch)).length
}

/**
 * Git notes a pull with its arguments, and a rebase with the name of its target; nothing if nothing had to be moved.
 */
function isOnto(line: string, branch: string): boolean {
  const pull = /^pull((?: \S+)*) \(start\): /.exec(line)
  if (pull) {
    const [, ref = branch] = (pull[1] ?? '').split(' ').filter((word) => word !== '' && !word.startsWith('-'))
    return ref === branch
  }
  return [`origin/${branch}`, 'FETCH_HEAD'].some((onto) => line === `rebase (start): checkout ${onto}`)
}
