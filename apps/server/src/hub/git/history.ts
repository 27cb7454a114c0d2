import { Recent } from '../../process/recent.ts'
import type { StartsGit } from './git-process.ts'
import type { Objects } from './objects.ts'

/** The most commits of each side that are read before git is asked. An execution adds a few. */
const MOST_STEPS = 32
const MOST_COMMITS = 4096
/** No person makes a commit with more. An agent can make one with 80,000, and thousands of those would be kept here. */
const MOST_PARENTS = 64
const MOST_ANSWERS = 1024

/**
 * Finds where histories of one bare clone meet. A commit's parents never change, so neither does any answer here, and
 * all are kept. The nearest commits are read one by one; a question that they do not answer costs a process.
 */
export class History {
  readonly #git: StartsGit
  readonly #gitDir: string
  readonly #objects: Objects
  readonly #parents = new Recent<string[]>(MOST_COMMITS)
  readonly #contained = new Recent<boolean>(MOST_ANSWERS)
  readonly #bases = new Recent<{ base: string | null }>(MOST_ANSWERS)

  constructor(git: StartsGit, gitDir: string, objects: Objects) {
    this.#git = git
    this.#gitDir = gitDir
    this.#objects = objects
  }

  /** Is `ancestor` reachable from `commit`? */
  async contains(commit: string, ancestor: string): Promise<boolean> {
    if (commit === ancestor) return true
    const key = `${commit} ${ancestor}`
    const known = this.#contained.get(key)
    if (known !== undefined) return known
    const found = (await this.#near(commit, ancestor)) ?? (await this.#asked(commit, ancestor))
    this.#contained.set(key, found)
    return found
  }

  /** The newest commit that both have in their history, or null. */
  async mergeBase(one: string, other: string): Promise<string | null> {
    if (await this.#isNear(one, other)) return other
    if (await this.#isNear(other, one)) return one
    const key = `${one} ${other}`
    const known = this.#bases.get(key)
    if (known) return known.base
    const args = ['merge-base', one, other]
    const base = (await this.#git.text({ gitDir: this.#gitDir, args, answers: [1] })) || null
    this.#bases.set(key, { base })
    return base
  }

  async #asked(commit: string, ancestor: string): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', ancestor, commit]
    return (await this.#git.run({ gitDir: this.#gitDir, args, answers: [1] })).code === 0
  }

  /** Null when the nearest commits do not say. */
  async #near(commit: string, ancestor: string): Promise<boolean | null> {
    const forth = await this.#isNear(commit, ancestor)
    if (forth !== null) return forth
    return (await this.#isNear(ancestor, commit)) ? false : null // no two commits contain each other
  }

  /** True when it is among the nearest, false when the whole history was looked at, null when there is more. */
  async #isNear(commit: string, ancestor: string): Promise<boolean | null> {
    const seen = new Set([commit])
    for (const one of seen) {
      if (one === ancestor) return true
      if (seen.size > MOST_STEPS) return null
      const parents = await this.#parentsOf(one)
      if (parents === null) return null // git names the problem, or reads the many parents
      for (const parent of parents) seen.add(parent)
    }
    return false
  }

  async #parentsOf(commit: string): Promise<string[] | null> {
    const known = this.#parents.get(commit)
    if (known) return known
    const parents = await this.#objects.parents(commit)
    if (parents === null || parents.length > MOST_PARENTS) return null
    this.#parents.set(commit, parents)
    return parents
  }
}
