import type { Clock } from '../../process/clock.ts'
import type { StartsGit } from './git-process.ts'
import { CatFile } from './cat-file.ts'
import { History } from './history.ts'
import { Objects } from './objects.ts'

/** A reading process older than this is replaced at the next question. */
const LONGEST_LIFE_MS = 60 * 60_000

/** The server's state for a bare clone that it works with. */
export type OpenClone = {
  objects: Objects
  history: History
  /** The first answer of `upload-pack` to each client of version 2. It names no ref, so it is the same for all. */
  capabilities: Promise<Buffer> | null
}

/** The clones in use, by their folder. */
export class OpenClones {
  readonly #git: StartsGit
  readonly #clock: Clock
  readonly #open = new Map<string, OpenClone>()

  constructor(git: StartsGit, clock: Clock) {
    this.#git = git
    this.#clock = clock
  }

  at(gitDir: string): OpenClone {
    const known = this.#open.get(gitDir)
    if (known) return known
    const start = () => this.#git.start({ gitDir, args: [...CatFile.args], timeoutMs: LONGEST_LIFE_MS })
    const objects = new Objects(start, this.#clock)
    const open = { objects, history: new History(this.#git, gitDir, objects), capabilities: null }
    this.#open.set(gitDir, open)
    return open
  }

  /** Forgets a clone that is about to be removed. */
  async close(gitDir: string): Promise<void> {
    const open = this.#open.get(gitDir)
    this.#open.delete(gitDir)
    await open?.objects.close()
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((gitDir) => this.close(gitDir)))
  }
}
