import { lastLines, type Git } from '../workspace/git.ts'

/** The state of a repository: its branches, tags and stash, and HEAD. `head` null: a branch without commits. */
export type GitState = { refs: Map<string, string>; head: string | null; branch: string | null }

/** Null if no repository could be read. */
export async function gitState(git: Git): Promise<GitState | null> {
  const listed = await git.run(['for-each-ref', '--format=%(objectname) %(refname)'])
  const head = await git.commitOf('HEAD')
  if (listed.code !== 0) return null
  const branch = (await git.run(['symbolic-ref', '--quiet', 'HEAD'])).stdout.trim()
  const refs = listed.stdout
    .split('\n')
    .filter(Boolean)
    .map((line): [string, string] => {
      const [object = '', ...name] = line.split(' ')
      return [name.join(' '), object]
    })
  return { refs: new Map(refs), head, branch: branch === '' ? null : branch }
}

/**
 * Puts HEAD and the branches back, and leaves the files as they are: a sub-agent's commits become uncommitted changes.
 * Stashed work is restored; new branches stay, so that nothing is lost. Returns a description of the changes, as part
 * of a sentence; null if there were none.
 */
export async function takeBack(git: Git, before: GitState): Promise<string | null> {
  const after = await gitState(git)
  if (after === null) return 'the repository cannot be read any more'
  const changed = [...before.refs].filter(([name, object]) => after.refs.get(name) !== object)
  const made = [...after.refs].filter(([name]) => !before.refs.has(name))
  const elsewhere = after.branch !== before.branch || after.head !== before.head
  if (changed.length === 0 && made.length === 0 && !elsewhere) return null
  const names = [...changed, ...made].map(([name]) => name.replace(/^refs\/(?:heads\/)?/, ''))
  const what = names.length > 0 ? names.slice(0, 5).join(', ') : 'the branch that is checked out'
  const commands = [
    ...(before.branch === null ? [] : [['symbolic-ref', 'HEAD', before.branch]]),
    ...changed.flatMap(([name, object]) => (name === STASH ? [] : [['update-ref', '--no-deref', name, object]])),
    ...(before.branch === null && before.head !== null ? [['update-ref', '--no-deref', 'HEAD', before.head]] : []),
    ['reset', '--quiet', '--mixed'],
    ...(after.refs.get(STASH) === before.refs.get(STASH) ? [] : [['stash', 'pop', '--quiet']]),
  ]
  for (const command of commands) {
    const { code, stderr } = await git.run(command)
    if (code !== 0) return `${what}; git ${command[0]} could not put it back: ${lastLines(stderr, 1)}`
  }
  return what
}

const STASH = 'refs/stash'
