import type { Signature } from '@beadloom/core/records/identity.ts'
import { isUtf8 } from 'node:buffer'
import type { Clock } from '../../process/clock.ts'
import { TRACKER_FILE } from '@beadloom/core/records/tracker-file.ts'
import { HubError } from '../../ports/hub.ts'
import { MAX_ISSUES_BYTES } from '../../ports/tracker.ts'
import type { Git } from '../git/git.ts'
import { SIGN_TIMEOUT_MS } from '../git/signer.ts'
import type { Objects } from '../git/objects.ts'
import { checkCommit } from '../clones/names.ts'

/** A tree's entry under a name, in the form of git's plumbing. */
export type Entry = { mode: string; type: string; object: string }

const [FOLDER = '', NAME = ''] = TRACKER_FILE.split('/')
const FOLDER_MODE = '040000'

export const sameEntry = (one: Entry | null, other: Entry | null): boolean =>
  one?.object === other?.object && one?.mode === other?.mode

/** The tracker's file in the trees of a bare clone. Nothing is checked out, and no filter sees it. */
export class TrackerTree {
  readonly #git: Git
  readonly #gitDir: string
  readonly #objects: Objects

  constructor({ git, gitDir }: { git: Git; gitDir: string }) {
    this.#git = git
    this.#gitDir = gitDir
    this.#objects = git.clones.at(gitDir).objects
  }

  /** A commit's entry at the file's path: the file, or something else that has its name; null when nothing. */
  entry(commit: string): Promise<Entry | null> {
    return this.#objects.entry(checkCommit(commit), [FOLDER, NAME])
  }

  /** The exact text; null when it is no regular file, not UTF-8, or larger than any tracker. */
  async text(entry: Entry): Promise<string | null> {
    if (!entry.mode.startsWith('100')) return null
    const info = await this.#objects.info(entry.object)
    if (info && info.size > MAX_ISSUES_BYTES) return null
    const bytes = await this.#objects.blob(entry.object, MAX_ISSUES_BYTES)
    if (bytes === null) throw new HubError('git-failed', `The hub lost the tracker's file (${entry.object}).`)
    return isUtf8(bytes) ? bytes.toString('utf8') : null
  }

  async store(text: string, mode = '100644'): Promise<Entry> {
    const args = ['hash-object', '-w', '--no-filters', '--stdin']
    return { mode, type: 'blob', object: await this.#git.text({ gitDir: this.#gitDir, args, input: text }) }
  }

  /** The commit's tree with `entry` at the file's path (null removes it); everything else is unchanged. */
  async treeWith(commit: string, entry: Entry | null): Promise<string> {
    const root = await this.#list(checkCommit(commit))
    const folder = root.get(FOLDER)
    const isFolder = folder?.type === 'tree'
    if (entry === null && !isFolder) return this.#objects.treeOf(commit)
    const inside = isFolder ? await this.#list(folder.object) : new Map<string, Entry>()
    if (entry === null) inside.delete(NAME)
    else inside.set(NAME, entry)
    if (inside.size === 0) root.delete(FOLDER)
    else root.set(FOLDER, { mode: FOLDER_MODE, type: 'tree', object: await this.#make(inside) })
    return this.#make(root)
  }

  async commit(
    tree: string,
    parents: string[],
    message: string,
    { clock, by: { author, committer } }: { clock: Clock; by: Signature },
  ): Promise<string> {
    const when = `${Math.floor(clock.now() / 1000)} +0000`
    const { signer } = this.#git
    const made = this.#git.text({
      gitDir: this.#gitDir,
      args: ['commit-tree', ...(signer?.args ?? []), tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
      ...(signer && { config: signer.config, timeoutMs: SIGN_TIMEOUT_MS }),
      input: message.endsWith('\n') ? message : `${message}\n`,
      env: {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: when,
        GIT_COMMITTER_NAME: committer.name,
        GIT_COMMITTER_EMAIL: committer.email,
        GIT_COMMITTER_DATE: when,
        ...signer?.env,
      },
    })
    if (signer === null) return made
    return made.catch(async (cause: unknown) => {
      if (!(cause instanceof HubError)) throw cause
      throw new HubError('git-failed', await signer.whyNot(cause.message), { cause })
    })
  }

  /** The entries by name. To git, names are bytes: reading and writing them as latin1 keeps them. */
  async #list(object: string): Promise<Map<string, Entry>> {
    const entries = await this.#objects.tree(object)
    return new Map(entries.map(({ name, mode, type, object: found }) => [name, { mode, type, object: found }]))
  }

  #make(entries: Map<string, Entry>): Promise<string> {
    const lines = [...entries].map(([name, { mode, type, object }]) => `${mode} ${type} ${object}\t${name}\0`)
    const input = Buffer.from(lines.join(''), 'latin1')
    return this.#git.text({ gitDir: this.#gitDir, args: ['mktree', '-z'], input })
  }
}
