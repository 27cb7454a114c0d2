import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Git as a developer has it, but without anybody's configuration. */
export const git = (cwd: string, ...args: string[]): string => gitWith('', cwd, ...args)

function gitWith(input: string, cwd: string, ...args: string[]): string {
  // Otherwise git checks after every commit whether to tidy up: one more process each time.
  return execFileSync('git', ['-c', 'maintenance.auto=false', ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'A Developer',
      GIT_AUTHOR_EMAIL: 'dev@example.org',
      GIT_COMMITTER_NAME: 'A Developer',
      GIT_COMMITTER_EMAIL: 'dev@example.org',
    },
    stdio: 'pipe',
  }).trim()
}

export type Files = Record<string, string>

/** Whether its settings say that nothing is to be set up. */
export const hasNoSetup = (files: Files): boolean => /"setup":null[,}]/.test(files['beadloom.json'] ?? '')

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    if (text.startsWith('#!')) chmodSync(join(folder, path), 0o755)
  }
}

/** A working tree with one commit of these files on `main`. */
export function makeRepository(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet', '--initial-branch=main')
  writeFiles(folder, files)
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'Start')
  return folder
}

/**
 * A bare repository with the same content, like on a forge. It takes two processes of git instead of four: nearly every
 * test begins with one, and a large process takes long to start another.
 */
export function makeRemote(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main')
  gitWith(commitOf(files), folder, 'fast-import', '--quiet')
  return folder
}

/** The commit in the format of `git fast-import`. */
function commitOf(files: Files): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const entry = ([path, text]: [string, string]) =>
    `M ${text.startsWith('#!') ? '100755' : '100644'} inline ${path}\n${data(text)}`
  const committer = `committer A Developer <dev@example.org> ${Math.floor(Date.now() / 1000)} +0000\n`
  return `commit refs/heads/main\n${committer}${data('Start')}${Object.entries(files).map(entry).join('')}`
}

/** The newest commit of the work branch that is not about beads. */
export function workTipOf(remote: string): string {
  const commits = git(remote, 'log', '--first-parent', '--format=%H %s', 'beadloom/work').split('\n')
  return commits.find((line) => !/^\S+ Beads: /.test(line))?.split(' ')[0] ?? ''
}

export type BeadLine = {
  id: string
  title: string
  description?: string
  status?: string
  priority?: number
  issue_type?: string
  labels?: string[]
  dependencies?: object[]
}

/** Lines of `.beads/issues.jsonl`. */
export function issues(...beads: BeadLine[]): string {
  const at = '2026-01-01T00:00:00Z'
  return beads
    .map((bead) =>
      JSON.stringify({
        status: 'open',
        priority: 2,
        issue_type: 'task',
        created_at: at,
        updated_at: at,
        description: 'Do it.',
        ...bead,
      }),
    )
    .map((line) => `${line}\n`)
    .join('')
}
