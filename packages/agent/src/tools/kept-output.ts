import { createHash } from 'node:crypto'
import { joinEnds } from '@beadloom/core/text/cut-middle.ts'
import { BoundedText, countLines, linesLeftOut } from '../output/split-text.ts'
import type { OutputFile, OutputFolder } from './output-folder.ts'

/**
 * A tool's output of any length, in bounded memory: its beginning and end for the model. If that is not all of it, a
 * file has the whole.
 */
export class KeptOutput {
  #limit: number
  #folder: OutputFolder
  #ends: BoundedText
  #hash = createHash('sha256')
  #length = 0
  #breaks = 0
  /** The output up to the limit, until it turns out to be longer. */
  #begun: string[] = []
  #file: Promise<OutputFile | null> | null = null

  constructor(limit: number, folder: OutputFolder) {
    this.#limit = 2 * Math.max(1, Math.floor(limit / 2)) // half of it for each end
    this.#folder = folder
    this.#ends = new BoundedText(this.#limit)
  }

  /** Resolves when it is written. */
  async add(text: string): Promise<void> {
    this.#ends.add(text)
    this.#hash.update(text)
    this.#length += text.length
    this.#breaks += countLines(text)
    if (this.#length <= this.#limit) return void this.#begun.push(text)
    this.#file ??= this.#begin()
    await (await this.#file)?.add(text)
  }

  /** `print` identifies the whole of a cut text: equal texts have equal prints. */
  async end(): Promise<{ text: string; print?: string }> {
    const ends = this.#ends.ends()
    if (ends.omitted === 0) return { text: ends.head + ends.tail }
    const file = await this.#file
    const whole = await file?.close()
    const kept = whole ? 'the whole output is in' : 'the first part of the output is in'
    const where = file ? `; ${kept} ${file.path}: read_file gives lines of it, search finds them` : ''
    const note = `lines ${linesLeftOut(ends, this.#breaks)}${where}`
    return { text: joinEnds(ends, note), print: this.#hash.digest('hex') }
  }

  async #begin(): Promise<OutputFile | null> {
    const begun = this.#begun
    this.#begun = []
    const file = await this.#folder.open()
    // Written before any caller that awaits the file can add to it.
    void file?.add(begun.join(''))
    return file
  }
}
