import { constants } from 'node:fs'
import { access, mkdir, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import { Git } from '../git/git.ts'

export type Seed = {
  /** Folder whose files become the first commit; folders that a checkout ignores (`node_modules`) are left out. */
  folder: string
  /** The folder of the bare repository; an existing one stays as it is. */
  into: string
  gitHome: string
  searchPath: string
  clock: Clock
  /** Changes a file's text, by its path in the folder. */
  rewritten?: Record<string, (text: string) => string>
}

const BRANCH = 'main'
const leftOut: readonly string[] = ['.git', 'node_modules']

/** A bare repository with one commit of a folder's files, made from objects alone: nothing is checked out or run. */
export async function seedRepository({
  folder,
  into,
  gitHome,
  searchPath,
  clock,
  rewritten = {},
}: Seed): Promise<void> {
  // The branch is written last: a repository without it is half-made.
  if (await exists(join(into, 'refs', 'heads', BRANCH))) return
  await mkdir(into, { recursive: true, mode: 0o700 })
  await mkdir(gitHome, { recursive: true, mode: 0o700 })
  const git = new Git({ binary: 'git', home: gitHome, searchPath, cwd: into, clock })
  await git.run({ args: ['init', '--quiet', '--bare', '--template=', `--initial-branch=${BRANCH}`, into] })
  const tree = await writeTree(git, into, folder, (path, content) =>
    rewrite(rewritten[relative(folder, path)], content),
  )
  const identity = { NAME: 'Beadloom', EMAIL: 'beadloom@localhost', DATE: `${Math.floor(clock.now() / 1000)} +0000` }
  const env = Object.fromEntries(
    Object.entries(identity).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  )
  const commit = await git.text({ args: ['commit-tree', tree, '-m', 'Start of the project'], gitDir: into, env })
  await git.run({ args: ['update-ref', `refs/heads/${BRANCH}`, commit], gitDir: into })
}

type Rewriting = (path: string, content: Buffer) => Buffer
const rewrite = (by: ((text: string) => string) | undefined, content: Buffer): Buffer =>
  by === undefined ? content : Buffer.from(by(content.toString()))

async function writeTree(git: Git, gitDir: string, folder: string, rewriting: Rewriting): Promise<string> {
  const lines: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (leftOut.includes(entry.name)) continue
    if (entry.isDirectory()) lines.push(`040000 tree ${await writeTree(git, gitDir, path, rewriting)}\t${entry.name}`)
    else if (entry.isFile()) lines.push(`${await blobLine(git, gitDir, path, rewriting)}\t${entry.name}`)
  }
  return git.text({ args: ['mktree', '-z'], gitDir, input: lines.map((line) => `${line}\0`).join('') })
}

async function blobLine(git: Git, gitDir: string, path: string, rewriting: Rewriting): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { mode } = await file.stat()
    const blob = await git.text({
      args: ['hash-object', '-w', '--no-filters', '--stdin'],
      gitDir,
      input: rewriting(path, await file.readFile()),
    })
    return `${(mode & 0o100) === 0 ? '100644' : '100755'} blob ${blob}`
  } finally {
    await file.close()
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
