import { constants } from 'node:fs'
import { lstat, mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A container's folder for temporary files is in memory, which the work needs too. `read_file` can still read a file of
 * this size.
 */
const MAX_FILE_BYTES = 4 * 1024 ** 2
const MAX_FILES = 16

/**
 * Files with the whole output of tools, for a model that saw only its beginning and end: `output-1.txt` and so on, the
 * newest 16. Creating the first one removes the files of an earlier session.
 */
export class OutputFolder {
  readonly path: string
  #made: Promise<boolean> | null = null
  #names: string[] = []
  #count = 0

  constructor(path: string) {
    this.path = path
  }

  /** Null if no file can be made: then long output is only cut. */
  async open(): Promise<OutputFile | null> {
    this.#made ??= this.#make()
    if (!(await this.#made)) return null
    this.#count += 1
    const path = join(this.path, `output-${this.#count}.txt`)
    this.#names.push(path)
    const old = this.#names.length > MAX_FILES ? this.#names.shift() : undefined
    if (old !== undefined) await rm(old, { force: true }).catch(() => {})
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const file = await open(path, flags, 0o600).catch(() => null)
    return file && new OutputFile(path, file)
  }

  /** Removes the files when nobody reads them any more. */
  async remove(): Promise<void> {
    if (await this.#made) await rm(this.path, { recursive: true, force: true }).catch(() => {})
  }

  async #make(): Promise<boolean> {
    try {
      const found = await lstat(this.path).catch(() => null)
      if (found && !found.isDirectory()) return false // a link could lead anywhere, and we remove its content
      await rm(this.path, { recursive: true, force: true })
      await mkdir(this.path, { mode: 0o700 })
      return true
    } catch {
      return false
    }
  }
}

/** One such file. Keeps the first 4 MiB and drops the rest. */
export class OutputFile {
  readonly path: string
  #file: FileHandle
  #bytes = 0
  #whole = true
  #last: Promise<void> = Promise.resolve()

  constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** Writes texts in the order of the calls. */
  add(text: string): Promise<void> {
    this.#last = this.#last.then(() => this.#write(text))
    return this.#last
  }

  /** Whether everything is in it. */
  async close(): Promise<boolean> {
    await this.#last
    await this.#file.close().catch(() => {})
    return this.#whole
  }

  async #write(text: string): Promise<void> {
    if (!this.#whole) return
    const bytes = Buffer.from(text, 'utf8')
    const part = bytes.subarray(0, MAX_FILE_BYTES - this.#bytes)
    this.#bytes += part.length
    this.#whole = part.length === bytes.length
    await this.#file.writeFile(part).catch(() => {
      this.#whole = false // no space left: keep what there is
    })
  }
}
