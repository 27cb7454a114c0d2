import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The agents of a sandbox keep their conversations in its home folder; this notes whose is the last one. */
export class Conversations {
  readonly #folder: string | null

  /** @param home undefined: there is none, and nothing is kept */
  constructor(home: string | undefined) {
    this.#folder = home === undefined ? null : join(home, '.beadloom')
  }

  /** Whether the last agent that began here was this one. */
  async isOf(agent: string): Promise<boolean> {
    return (await this.#read('agent')) === agent
  }

  async begin(agent: string): Promise<void> {
    await this.#write('agent', agent)
  }

  /** The built-in agent's own conversation, as JSON; null: it has none here, or it was too long. */
  kept(): Promise<string | null> {
    return this.#read('conversation.json')
  }

  /** Never rejects: a conversation that cannot be kept is begun anew. */
  async keep(text: string): Promise<void> {
    if (text.length <= MOST_KEPT) await this.#write('conversation.json', text)
    else if (this.#folder !== null) await rm(join(this.#folder, 'conversation.json'), { force: true })
  }

  async #read(name: string): Promise<string | null> {
    return this.#folder === null ? null : await readFile(join(this.#folder, name), 'utf8').catch(() => null)
  }

  async #write(name: string, text: string): Promise<void> {
    if (this.#folder === null) return
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeFile(join(this.#folder, name), text)
    } catch {
      // A full disk, or a home folder that nobody may write to.
    }
  }
}

/** Characters: much more than a conversation has before its oldest results are shortened. */
const MOST_KEPT = 8 * 1024 * 1024
