import { HubError } from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'
import { inTime } from '../../process/within.ts'
import { checkCommit, checkRef } from '../clones/names.ts'
import { CatFile, Interrupted, NotReached, type ObjectInfo } from './cat-file.ts'
import type { GitProcess } from './git-process.ts'
import { parentsOf, parseTree, type TreeEntry } from './parse-objects.ts'

/** Long enough for the steps of one execution to find it running, short enough that a quiet project has no process. */
const IDLE_MS = 10_000
/** About 700,000 files in one folder. */
const MOST_TREE_BYTES = 32 * 1024 ** 2
/** A commit is its message, its parents and a signature. */
const MOST_COMMIT_BYTES = 4 * 1024 ** 2

/**
 * Reads the objects of one bare clone through one git process that stays: it starts with the first question, and is
 * closed after a while without any. It sees refs and packs that are written meanwhile, because git looks again. Names
 * are full refs or object ids and nothing else, so none can be taken for one of git's expressions.
 */
export class Objects {
  readonly #start: () => GitProcess
  readonly #clock: Clock
  #process: CatFile | null = null
  #pause = new AbortController()

  constructor(start: () => GitProcess, clock: Clock) {
    this.#start = start
    this.#clock = clock
  }

  /** The commit that a full ref or an object id leads to; null when there is none. */
  async commit(name: string): Promise<string | null> {
    return (await this.#info(`${checkName(name)}^{commit}`))?.object ?? null
  }

  /** The id of a commit's root folder. */
  async treeOf(commit: string): Promise<string> {
    const info = await this.#info(`${checkCommit(commit)}^{tree}`)
    if (info === null) throw noCommit(commit)
    return info.object
  }

  /** Type and size of an object by its id. */
  info(object: string): Promise<ObjectInfo | null> {
    return this.#info(checkCommit(object))
  }

  /** A commit's parents; null when the hub has no such commit. */
  async parents(commit: string): Promise<string[] | null> {
    const bytes = await this.#read(checkCommit(commit), 'commit', MOST_COMMIT_BYTES)
    return bytes && parentsOf(bytes)
  }

  /** The entries of a commit's root folder, or of a tree. */
  async tree(object: string): Promise<TreeEntry[]> {
    const bytes = await this.#read(`${checkCommit(object)}^{tree}`, 'tree', MOST_TREE_BYTES)
    if (bytes === null) throw noCommit(object)
    return parseTree(bytes, object.length / 2)
  }

  /** The entry of a commit or tree at a path, whose parts are git's bytes (latin1); null when there is none. */
  async entry(object: string, [name, ...rest]: string[]): Promise<TreeEntry | null> {
    const found = (await this.tree(object)).find((entry) => entry.name === name)
    if (!found || rest.length === 0) return found ?? null
    return found.type === 'tree' ? this.entry(found.object, rest) : null
  }

  /** A file's bytes by its id. Throws a HubError when there are more than `limitBytes`. */
  async blob(object: string, limitBytes: number): Promise<Buffer | null> {
    return this.#read(checkCommit(object), 'blob', limitBytes)
  }

  /** Ends the process, if there is one, and waits until it is gone. The next question starts another. */
  async close(): Promise<void> {
    this.#pause.abort(inTime)
    const process = this.#process
    this.#process = null
    process?.kill()
    await process?.ended
  }

  #info(name: string): Promise<ObjectInfo | null> {
    return this.#ask((process) => process.info(name))
  }

  /** Looks up the size first, so that an object that is too large is never read. */
  async #read(name: string, type: string, limitBytes: number): Promise<Buffer | null> {
    const info = await this.#info(name)
    if (info?.type !== type) return null
    const { object, size } = info
    if (size > limitBytes) {
      throw new HubError('refused', `The ${type} ${object} has ${size} bytes; at most ${limitBytes} are read.`)
    }
    return this.#ask((process) => process.contents(object, limitBytes))
  }

  /** Asks; an interrupted question goes once more, to a new process. */
  async #ask<T>(question: (process: CatFile) => Promise<T>): Promise<T> {
    for (let interruptions = 0; ;) {
      const process = this.#running()
      try {
        return await question(process)
      } catch (error) {
        if (error instanceof NotReached) continue
        if (!(error instanceof Interrupted)) throw error
        interruptions += 1
        if (interruptions > 1) throw new HubError('git-failed', error.message, { cause: error })
      } finally {
        if (process === this.#process && process.idle) this.#closeWhenIdle(process)
      }
    }
  }

  #running(): CatFile {
    this.#pause.abort(inTime)
    if (!this.#process?.usable) this.#process = new CatFile(this.#start(), this.#clock)
    return this.#process
  }

  #closeWhenIdle(process: CatFile): void {
    this.#pause.abort(inTime)
    const pause = (this.#pause = new AbortController())
    void this.#clock.sleep(IDLE_MS, pause.signal).then(() => {
      if (!pause.signal.aborted) process.close()
    })
  }
}

/** Accepts only an unmistakable ref or id. */
const checkName = (name: string): string => (name.startsWith('refs/') ? checkRef(name) : checkCommit(name))

const noCommit = (commit: string) => new HubError('git-failed', `The hub has no commit ${commit}, or cannot read it.`)
