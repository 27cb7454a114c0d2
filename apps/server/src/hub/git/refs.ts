import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { makeRef } from './new-ref.ts'
import type { OpenClone } from './open-clone.ts'

/** A symbolic ref is a file of its own. If git does not keep refs in files, HEAD names a branch that cannot exist. */
const SYMBOLIC = /^ref: (refs\/(?!heads\/\.invalid)\S+)\n$/

/** `from` null: it does not exist yet. */
export type Move = { ref: string; from: string | null; to: string }

/** Refs of one bare clone. Names are checked by the callers; a ref is only ever moved from a value that was seen. */
export class Refs {
  #git: Git
  #gitDir: string
  #clone: OpenClone

  constructor(git: Git, gitDir: string) {
    this.#git = git
    this.#gitDir = gitDir
    this.#clone = git.clones.at(gitDir)
  }

  /** The commit that a full ref or an id leads to, null when there is none. */
  tip(ref: string): Promise<string | null> {
    return this.#clone.objects.commit(ref)
  }

  /** True when the ref was `from` (null: did not exist) and is `to` now; false when somebody else was first. */
  async move(ref: string, from: string | null, to: string): Promise<boolean> {
    if (from === null && (await this.tip(to)) === to && (await makeRef(this.#gitDir, ref, to))) return true
    const args = ['update-ref', '--no-deref', '-m', 'beadloom', ref, to, from ?? '0'.repeat(to.length)]
    const { code } = await this.#git.run({ gitDir: this.#gitDir, args, answers: [1, 128] })
    if (code === 0) return true
    if ((await this.tip(ref)) !== from) return false
    // Nobody moved it, so something else is wrong (a name in the way, no space): let git report it.
    await this.#git.run({ gitDir: this.#gitDir, args })
    return true
  }

  /** Like `move` for each of them, in one go if nobody was first. An existing ref is left alone. */
  async moveAll(moves: Move[]): Promise<void> {
    const wanted = moves.filter(({ from, to }) => from !== to)
    if (wanted.length > 1) {
      const args = ['update-ref', '--no-deref', '-m', 'beadloom', '--stdin', '-z']
      const lines = wanted.map(({ ref, from, to }) => `update ${ref}\0${to}\0${from ?? '0'.repeat(to.length)}\0`)
      const { code } = await this.#git.run({ gitDir: this.#gitDir, args, input: lines.join(''), answers: [1, 128] })
      if (code === 0) return
    }
    for (const { ref, from, to } of wanted) await this.move(ref, from, to) // a failed move stops no other
  }

  /** Short names of everything below `prefix`, which ends with a slash. */
  async under(prefix: string): Promise<string[]> {
    const args = ['for-each-ref', '--format=%(refname)', prefix]
    const text = await this.#git.text({ gitDir: this.#gitDir, args })
    return text === '' ? [] : text.split('\n').map((name) => name.slice(prefix.length))
  }

  /** Removes all refs below `prefix`, which ends with a slash, wherever they lead. */
  async removeUnder(prefix: string): Promise<void> {
    await this.remove((await this.under(prefix)).map((name) => prefix + name))
  }

  /** Removes these refs, wherever they lead. */
  async remove(refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return
    const input = refs.map((name) => `delete ${name}\0\0`).join('')
    await this.#git.run({ gitDir: this.#gitDir, args: ['update-ref', '--no-deref', '--stdin', '-z'], input })
  }

  /** The target of a symbolic ref, null if it is none. */
  async symbolic(ref: string): Promise<string | null> {
    const file = await readFile(join(this.#gitDir, ref), 'utf8').catch(() => '')
    const [, target] = SYMBOLIC.exec(file) ?? []
    if (target !== undefined) return target
    const args = ['symbolic-ref', '--quiet', ref]
    return (await this.#git.text({ gitDir: this.#gitDir, args, answers: [1] })) || null
  }

  async pointSymbolic(ref: string, to: string): Promise<void> {
    if ((await this.symbolic(ref)) === to) return
    await this.#git.run({ gitDir: this.#gitDir, args: ['symbolic-ref', ref, to] })
  }

  /** The tree of a commit, then its parents. */
  async madeOf(commit: string): Promise<string[]> {
    const { objects } = this.#clone
    return [await objects.treeOf(commit), ...((await objects.parents(commit)) ?? [])]
  }

  /** Is `ancestor` reachable from `commit`? */
  contains(commit: string, ancestor: string): Promise<boolean> {
    return this.#clone.history.contains(commit, ancestor)
  }

  /** The newest commit that both have in their history, or null. */
  mergeBase(one: string, other: string): Promise<string | null> {
    return this.#clone.history.mergeBase(one, other)
  }
}
