import { appendFile, readFile } from 'node:fs/promises'
import type { ImageId } from '../containers.ts'
import { repositoryOf } from './image-name.ts'

/**
 * Images that a registry has given to everybody, or said that it would. They stay so while it is away or refuses to be
 * asked so often, so they are kept in a file, a repository and an id a line. An id is a hash of the content: it counts on any engine.
 */
export class GivenImages {
  readonly #file: string | null
  #known: Promise<Set<string>> | null = null

  /** @param file null: they are forgotten with this object */
  constructor(file: string | null) {
    this.#file = file
  }

  async has(name: string, image: ImageId): Promise<boolean> {
    return (await this.#read()).has(lineOf(name, image))
  }

  async add(name: string, image: ImageId): Promise<void> {
    const [known, line] = [await this.#read(), lineOf(name, image)]
    if (known.has(line)) return
    known.add(line)
    // Without the line, the registry is asked again after a restart.
    if (this.#file !== null) await appendFile(this.#file, `${line}\n`, { mode: 0o600 }).catch(() => {})
  }

  #read(): Promise<Set<string>> {
    this.#known ??= linesOf(this.#file)
    return this.#known
  }
}

const lineOf = (name: string, image: ImageId): string => `${repositoryOf(name)} ${image}`

const linesOf = async (file: string | null): Promise<Set<string>> =>
  new Set(file === null ? [] : (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean))
