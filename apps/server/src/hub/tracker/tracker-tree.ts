import { isUtf8 } from 'node:buffer'
import type { Clock } from '../../process/clock.ts'
import { TRACKER_FILE } from '@beadloom/core/bead/tracker-file.ts'
import { MAX_ISSUES_BYTES } from '../../ports/tracker.ts'
import type { Git } from '../git/git.ts'
import { checkCommit } from '../clones/names.ts'

/** What a tree has under a name, as git's plumbing writes it. */
export type Entry = { mode: string; type: string; object: string }

const [FOLDER = '', NAME = ''] = TRACKER_FILE.split('/')
const FOLDER_MODE = '040000'

export const sameEntry = (one: Entry | null, other: Entry | null): boolean =>
  one?.object === other?.object && one?.mode === other?.mode

/** The tracker's file in the trees of a bare clone. Nothing is checked out, and no filter sees it. */
export class TrackerTree {
  readonly #git: Git
  readonly #gitDir: string

  constructor({ git, gitDir }: { git: Git; gitDir: string }) {
    this.#git = git
    this.#gitDir = gitDir
  }

  /** What a commit has at the file's path: the file, or whatever somebody put there instead; null when nothing. */
  async entry(commit: string): Promise<Entry | null> {
    const args = ['ls-tree', '-z', '--full-tree', checkCommit(commit), '--', TRACKER_FILE]
    return (await this.#list(args)).get(TRACKER_FILE) ?? null
  }

  /** The exact text; null when it is no regular file, not UTF-8, or larger than any tracker. */
  async text(entry: Entry): Promise<string | null> {
    if (!entry.mode.startsWith('100')) return null
    const size = await this.#git.text({ gitDir: this.#gitDir, args: ['cat-file', '-s', entry.object] })
    if (Number(size) > MAX_ISSUES_BYTES) return null
    const args = ['cat-file', 'blob', entry.object]
    const { stdout } = await this.#git.run({ gitDir: this.#gitDir, args, limitBytes: MAX_ISSUES_BYTES })
    return isUtf8(stdout) ? stdout.toString('utf8') : null
  }

  async store(text: string, mode = '100644'): Promise<Entry> {
    const args = ['hash-object', '-w', '--no-filters', '--stdin']
    return { mode, type: 'blob', object: await this.#git.text({ gitDir: this.#gitDir, args, input: text }) }
  }

  /** The commit's tree with `entry` at the file's path (null removes it); everything else is unchanged. */
  async treeWith(commit: string, entry: Entry | null): Promise<string> {
    const root = await this.#list(['ls-tree', '-z', '--full-tree', checkCommit(commit)])
    const folder = root.get(FOLDER)
    const isFolder = folder?.type === 'tree'
    if (entry === null && !isFolder) return this.#treeOf(commit)
    const inside = isFolder ? await this.#list(['ls-tree', '-z', folder.object]) : new Map<string, Entry>()
    if (entry === null) inside.delete(NAME)
    else inside.set(NAME, entry)
    if (inside.size === 0) root.delete(FOLDER)
    else root.set(FOLDER, { mode: FOLDER_MODE, type: 'tree', object: await this.#make(inside) })
    return this.#make(root)
  }

  async commit(tree: string, parents: string[], message: string, clock: Clock): Promise<string> {
    const when = `${Math.floor(clock.now() / 1000)} +0000`
    return this.#git.text({
      gitDir: this.#gitDir,
      args: ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
      input: message.endsWith('\n') ? message : `${message}\n`,
      env: {
        GIT_AUTHOR_NAME: 'Beadloom',
        GIT_AUTHOR_EMAIL: 'beadloom@localhost',
        GIT_AUTHOR_DATE: when,
        GIT_COMMITTER_NAME: 'Beadloom',
        GIT_COMMITTER_EMAIL: 'beadloom@localhost',
        GIT_COMMITTER_DATE: when,
      },
    })
  }

  #treeOf(commit: string): Promise<string> {
    return this.#git.text({ gitDir: this.#gitDir, args: ['rev-parse', '--verify', `${checkCommit(commit)}^{tree}`] })
  }

  /** To git, names are bytes: read and written as latin1 they stay what they are. */
  async #list(args: string[]): Promise<Map<string, Entry>> {
    const { stdout } = await this.#git.run({ gitDir: this.#gitDir, args })
    const found = new Map<string, Entry>()
    for (const line of stdout.toString('latin1').split('\0')) {
      const tab = line.indexOf('\t')
      if (tab < 0) continue
      const [mode = '', type = '', object = ''] = line.slice(0, tab).split(' ')
      found.set(line.slice(tab + 1), { mode, type, object })
    }
    return found
  }

  #make(entries: Map<string, Entry>): Promise<string> {
    const lines = [...entries].map(([name, { mode, type, object }]) => `${mode} ${type} ${object}\t${name}\0`)
    const input = Buffer.from(lines.join(''), 'latin1')
    return this.#git.text({ gitDir: this.#gitDir, args: ['mktree', '-z'], input })
  }
}
