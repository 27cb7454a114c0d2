import { appendFile, lstat, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Git } from './git.ts'
import { excludePattern, fetchCommit } from './workspace.ts'

const MOST_WORDS = 20
const MOST_FILES = 1000

/**
 * Restores files that an agent's command line names, as a commit has them, if the branch has none of that name: the
 * branch is older than the command and cannot be brought up to date, or earlier work has removed them. Without its
 * program no agent could ever repair that. Restored files are ignored by git, so that they become nobody's work.
 * Returns the names from the command.
 */
export async function restoreCommandFiles(git: Git, command: string, commit: string): Promise<string[]> {
  const gone: string[] = []
  for (const path of pathsIn(command, git.folder)) if (!(await isThere(join(git.folder, path)))) gone.push(path)
  if (gone.length === 0) return []
  const known = await inCommit(git, commit, gone)
  if (known.length === 0) return []
  const restored: string[] = []
  const index = join(git.directory, 'beadloom-command-index')
  try {
    for (const path of known) {
      const listed = await git.run(['ls-tree', '-r', '-z', '--name-only', commit, '--', await highestGone(git, path)])
      const files = listed.stdout.split('\0').filter(Boolean)
      if (listed.code !== 0 || files.length === 0 || files.length > MOST_FILES) continue
      if (
        restored.length === 0 &&
        (await git.run(['read-tree', commit], { env: { GIT_INDEX_FILE: index } })).code !== 0
      )
        return []
      const written = await git.run(['checkout-index', '-q', '-z', '--stdin'], {
        env: { GIT_INDEX_FILE: index },
        stdin: `${files.join('\0')}\0`,
      })
      if (written.code !== 0) continue
      await ignore(git, files)
      restored.push(path)
    }
  } finally {
    await rm(index, { force: true })
  }
  return restored
}

/**
 * Drops the paths that the commit does not have. Most words are not files, and each git delays the agent's first word.
 */
async function inCommit(git: Git, commit: string, paths: readonly string[]): Promise<string[]> {
  const list = () => git.run(['ls-tree', '-z', '--name-only', commit, '--', ...paths])
  let listed = await list()
  // A failure here must not fail the session: the command may work without the files.
  if (listed.code !== 0) {
    const isHere = await fetchCommit(git, commit).then(
      () => true,
      () => false,
    )
    if (!isHere) return []
    listed = await list()
  }
  const found = new Set(listed.stdout.split('\0'))
  return paths.filter((path) => found.has(path.replace(/\/$/, '')))
}

/** Words that may be paths within the workspace. */
function pathsIn(command: string, folder: string): string[] {
  const words = command.match(/[^\s'"`;&|<>()$=]+/g) ?? []
  const paths = words.map((word) => (word.startsWith(`${folder}/`) ? word.slice(folder.length + 1) : word))
  const own = paths
    .map((path) => path.replace(/^(?:\.\/+)+/, ''))
    .filter(
      (path) => /^[^-/*?[\]:][^*?[\]:]*$/.test(path) && !path.split('/').some((part) => part === '..' || part === ''),
    )
  return [...new Set(own)].slice(0, MOST_WORDS)
}

/**
 * The highest missing folder above the path: with a folder, the files beside this one are gone too, and it may need
 * them.
 */
async function highestGone(git: Git, path: string): Promise<string> {
  let highest = path
  for (let above = dirname(path); above !== '.'; above = dirname(above))
    if (!(await isThere(join(git.folder, above)))) highest = above
  return highest
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

async function ignore(git: Git, files: readonly string[]): Promise<void> {
  const patterns = files.map(excludePattern).filter((pattern) => pattern !== null)
  await mkdir(join(git.directory, 'info'), { recursive: true })
  await appendFile(join(git.directory, 'info', 'exclude'), `\n${patterns.join('\n')}\n`)
}
