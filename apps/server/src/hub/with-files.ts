import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkCommit } from './clones/names.ts'
import type { Git } from './git/git.ts'
import { pathArgument } from './git/path-text.ts'

const GONE = '0'.repeat(40)

/** The tree with these files as a commit has them; a file that the commit lacks is taken out. */
export async function withFiles(
  { git, gitDir }: { git: Git; gitDir: string },
  tree: string,
  commit: string,
  paths: readonly string[],
): Promise<string> {
  const named = paths.map(pathArgument).filter((path) => path !== null)
  const folder = await mkdtemp(join(tmpdir(), 'beadloom-index-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    const listed = await git.run({ gitDir, args: ['ls-tree', '-z', checkCommit(commit), '--', ...named] })
    const there = listed.stdout.toString('latin1')
    const gone = named.map((path) => `0 ${GONE}\t${Buffer.from(path).toString('latin1')}\0`)
    await git.run({ gitDir, args: ['read-tree', tree], env })
    const input = Buffer.from(`${gone.join('')}${there}`, 'latin1')
    await git.run({ gitDir, args: ['update-index', '-z', '--index-info'], input, env })
    return await git.text({ gitDir, args: ['write-tree'], env })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
