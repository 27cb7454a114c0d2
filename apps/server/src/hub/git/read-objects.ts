import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CommitInfo } from '../../ports/hub/diffs.ts'
import { FileTooLarge, HubError } from '../../ports/hub.ts'
import { type Git, GitFailure } from './git.ts'
import type { Objects } from './objects.ts'
import { partsOf, pathText } from './path-text.ts'
import { readFiles } from './read-files.ts'
import { checkCommit, treePath } from '../clones/names.ts'

/** A tracker of 100,000 beads is about 60 MiB of text; the server should hold no larger file. */
const DEFAULT_FILE_LIMIT = 64 * 1024 ** 2
const ARCHIVE_TIMEOUT_MS = 10 * 60_000
/** A push has at most a quarter of that, packed; a tree can name one file of a few bytes a billion times. */
const MOST_OF_AN_ARCHIVE = 4 * 1024 ** 3
const MOST_COMMITS = 1000
/** Linux opens no longer path. */
const LONGEST_PATH = 4096
/** The limit for the characters of all paths. A hundred thousand usual ones have a third of it. */
const MOST_PATH_TEXT = 32 * 1024 ** 2
const SYMLINK = '120000'
const MOST_LINKS = 20
const MOST_OF_A_LINK = 4096

/** Reads commits of one bare clone: objects only, so no attribute, filter or link of a repository matters. */
export class ObjectReader {
  #git: Git
  #gitDir: string
  #objects: Objects

  constructor(git: Git, gitDir: string) {
    this.#git = git
    this.#gitDir = gitDir
    this.#objects = git.clones.at(gitDir).objects
  }

  async file(commit: string, path: string, limitBytes = DEFAULT_FILE_LIMIT): Promise<string | null> {
    const clean = treePath(path)
    if (clean === null) return null
    const entry = await this.#objects.entry(checkCommit(commit), partsOf(clean))
    if (!entry?.mode.startsWith('100')) return null // a link, a folder, a submodule
    const { size = 0 } = (await this.#objects.info(entry.object)) ?? {}
    if (size > limitBytes) {
      throw new FileTooLarge(`${clean} has ${size} bytes in ${commit}; at most ${limitBytes} are read.`, size)
    }
    const bytes = await this.#objects.blob(entry.object, limitBytes)
    if (bytes === null) throw new HubError('git-failed', `${clean} of ${commit} is missing in the hub`)
    return new TextDecoder().decode(bytes) // drops a byte order mark, replaces invalid UTF-8
  }

  /**
   * Follows symbolic links within the commit, and returns a path without any. Null: it does not exist, or a link leads
   * out of the repository, or in a circle.
   */
  async realPath(commit: string, path: string): Promise<string | null> {
    if (path === '') return ''
    const clean = treePath(path)
    if (clean === null) return null
    let left = clean.split('/')
    const done: string[] = []
    for (let links = 0; left.length > 0;) {
      const [name = '', ...rest] = left
      const at = [...done, name]
      const entry = await this.#objects.entry(checkCommit(commit), partsOf(at.join('/')))
      if (!entry) return null
      if (entry.mode !== SYMLINK) {
        done.push(name)
        left = rest
        continue
      }
      const target = pathText((await this.#objects.blob(entry.object, MOST_OF_A_LINK))?.toString('latin1') ?? '')
      const from = ['', ...done, target].join('/')
      const parts = posix.normalize(from).split('/').filter(Boolean)
      const isOut = posix.isAbsolute(target) || escapes(done.length, target)
      if (target === '' || isOut || ++links > MOST_LINKS) return null
      left = [...parts, ...rest]
      done.length = 0
    }
    return done.join('/')
  }

  /** The commit of another repository that a path points to (a submodule); null: it is no submodule. */
  async pointer(commit: string, path: string): Promise<string | null> {
    const clean = treePath(path)
    const entry = clean === null ? null : await this.#objects.entry(checkCommit(commit), partsOf(clean))
    return entry?.type === 'commit' ? entry.object : null
  }

  files(
    commit: string,
    paths: readonly string[],
    limitBytes: number,
    unread?: Set<string>,
  ): Promise<Map<string, string>> {
    return readFiles(this.#objects, { commit, paths, limitBytes, unread })
  }

  async filesIn(commit: string, folder: string): Promise<string[]> {
    const clean = treePath(folder)
    const entry = clean === null ? null : await this.#objects.entry(checkCommit(commit), partsOf(clean))
    if (entry?.type !== 'tree') return []
    const files = (await this.#objects.tree(entry.object)).filter(({ mode }) => mode.startsWith('100'))
    return files.map(({ name }) => pathText(name))
  }

  async rootNames(commit: string): Promise<string[]> {
    return (await this.#objects.tree(checkCommit(commit))).map(({ name }) => pathText(name))
  }

  /**
   * Folder by folder, so that a tree which names one folder a million times costs no more than `most` looks. Paths too
   * long for any checkout are left out: the paths of a hundred thousand nested folders would exceed a server's memory.
   */
  async paths(commit: string, most: number): Promise<string[]> {
    const found: string[] = []
    let level = [{ path: '', object: checkCommit(commit) }]
    let [looks, text] = [1, 0]
    while (level.length > 0) {
      const below: typeof level = []
      for (const folder of level) {
        for (const { name, object, type } of await this.#objects.tree(folder.object)) {
          if (looks >= most || text >= MOST_PATH_TEXT) return found
          looks += 1
          const path = folder.path + pathText(name)
          if (path.length > LONGEST_PATH) continue
          text += path.length
          if (type === 'blob') found.push(path)
          else if (type === 'tree') below.push({ path: `${path}/`, object })
        }
      }
      level = below
    }
    return found
  }

  async hash(commit: string, paths: string[]): Promise<string> {
    const wanted = [...new Set(paths)].toSorted()
    const facts: [string, string | null][] = []
    for (const path of wanted) {
      const clean = treePath(path)
      const entry = clean === null ? null : await this.#objects.entry(checkCommit(commit), partsOf(clean))
      facts.push([path, entry && `${entry.mode} ${entry.object}`])
    }
    return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  }

  /** The tree's bytes as committed; fails in the middle of the stream if git does, or at `limitBytes`. */
  async archive(commit: string, folder = '', limitBytes = MOST_OF_AN_ARCHIVE): Promise<Readable> {
    const args = ['archive', '--format=tar', await this.#treeAt(checkCommit(commit), folder)]
    const git = this.#git.start({ gitDir: this.#gitDir, args, timeoutMs: ARCHIVE_TIMEOUT_MS })
    git.stdin.end()
    const out = atMost(
      limitBytes,
      new HubError(
        'refused',
        `${folder === '' ? 'The files' : `The files of ${folder}`} in ${commit} have more than ${Math.round(limitBytes / 1024 ** 2)} MiB, which is the most that an image is built from. Name a smaller folder as the build's context.`,
      ),
    )
    out.once('close', git.kill) // the reader may leave early; killing an ended process is fine
    const judged = async () => {
      await pipeline(git.stdout, out, { end: false })
      const end = await git.ended
      if (end.code !== 0) throw new GitFailure('archive', end)
    }
    judged().then(
      () => out.end(),
      (error: unknown) => out.destroy(error as Error),
    )
    return out
  }

  /** The commit itself for the root; else the tree's own id, so that no path is ever part of an expression. */
  async #treeAt(commit: string, folder: string): Promise<string> {
    if (folder === '') return commit
    const clean = treePath(folder)
    const entry = clean === null ? null : await this.#objects.entry(commit, partsOf(clean))
    if (entry?.type !== 'tree') throw new HubError('refused', `There is no folder ${folder} in ${commit}.`)
    return checkCommit(entry.object)
  }

  async commits(from: string, to: string, limit = MOST_COMMITS): Promise<CommitInfo[]> {
    const format = '--format=%H%x00%P%x00%ct%x00%an%x00%s'
    const most = `--max-count=${Math.max(0, Math.min(MOST_COMMITS, Math.floor(limit)))}`
    const range = [checkCommit(to), `^${checkCommit(from)}`]
    const args = ['log', '-z', '--no-decorate', '--no-patch', '--no-color', '--encoding=UTF-8', format, most, ...range]
    const text = await this.#git.text({ gitDir: this.#gitDir, args: [...args, '--'] })
    const fields = text.split('\0')
    const found: CommitInfo[] = []
    for (let i = 0; i + 4 < fields.length; i += 5) {
      const [commit = '', parents = '', seconds, author = '', subject = ''] = fields.slice(i, i + 5)
      const parent = parents.split(' ')[0] || null
      found.push({ commit, parent, subject, author, at: Number(seconds) * 1000 })
    }
    return found
  }
}

function atMost(limitBytes: number, tooMuch: HubError): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > limitBytes) done(tooMuch)
      else done(null, chunk)
    },
  })
}

/** Whether a link in a folder at this depth goes above the root on its way, wherever it ends. */
function escapes(depth: number, target: string): boolean {
  let level = depth
  for (const part of target.split('/')) {
    if (part === '..') level -= 1
    else if (part !== '' && part !== '.') level += 1
    if (level < 0) return true
  }
  return false
}
