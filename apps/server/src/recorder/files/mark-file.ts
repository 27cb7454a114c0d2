import { MARK_MS, SELDOM_MS } from '../bounds.ts'
import { RECORD_BYTES, readRecord, writeRecord } from './line-mark.ts'
import type { LineMark, MarkRecord } from './line-mark.ts'
import { SideFile } from './side-file.ts'

/**
 * Writes the marks of one log's lines: a record where the stream changes or time has passed. Append-only like the log,
 * and cut back with it, so each line is marked once. An error with this file loses marks and nothing else.
 */
export class MarkFile {
  readonly #file: SideFile
  readonly #limit: number
  /** Null: the next line always gets a record, whatever the last one in the file is. */
  #last: LineMark | null = null
  #records: number
  #waiting = Buffer.alloc(64 * RECORD_BYTES)
  #length = 0

  private constructor(file: SideFile, limit: number, records: number) {
    this.#file = file
    this.#limit = limit
    this.#records = records
  }

  /** Continues at `line`; marks from that line on are cut off. `limit`: see `markBytes`. */
  static async open(path: string, line: number, limit: number, report: (error: unknown) => void): Promise<MarkFile> {
    const file = await SideFile.toWrite(path, report)
    const kept = (await findRecord(file, line - 1)) ?? { index: -1 } // damaged: no marks are better than wrong ones
    await file.truncate((kept.index + 1) * RECORD_BYTES)
    return new MarkFile(file, limit, kept.index + 1)
  }

  /** Notes the mark of a line and of those appended with it. */
  note(line: number, { at, stderr }: LineMark): void {
    const last = this.#last
    const many = this.#records * RECORD_BYTES + this.#length >= this.#limit
    const sameStream = many || stderr === last?.stderr
    if (last && sameStream && Math.abs(at - last.at) < (many ? SELDOM_MS : MARK_MS)) return
    this.#last = { at, stderr: stderr && !many }
    if (this.#length === this.#waiting.length) this.#waiting = Buffer.concat([this.#waiting], this.#waiting.length * 2)
    writeRecord(this.#waiting, this.#length, { line, ...this.#last })
    this.#length += RECORD_BYTES
  }

  /** Resolves when everything noted has been written, or has failed. */
  async write(): Promise<void> {
    if (this.#length === 0) return
    const bytes = this.#waiting.subarray(0, this.#length)
    this.#waiting = Buffer.alloc(64 * RECORD_BYTES)
    this.#length = 0
    if (await this.#file.write(bytes, this.#records * RECORD_BYTES)) this.#records += bytes.length / RECORD_BYTES
    else this.#last = null
  }

  sync(): Promise<void> {
    return this.#file.sync()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** The last record at or before `line`, by its index (-1: there is none); null when the search meets a damaged one. */
export async function findRecord(
  file: SideFile,
  line: number,
): Promise<{ index: number; record: MarkRecord | null; count: number } | null> {
  const count = Math.floor((await file.size()) / RECORD_BYTES)
  let [low, high] = [0, count]
  let found: MarkRecord | null = null
  while (low < high) {
    const middle = (low + high) >>> 1
    const record = readRecord(await file.read(middle * RECORD_BYTES, RECORD_BYTES))
    if (!record) return null
    if (record.line <= line) {
      found = record
      low = middle + 1
    } else high = middle
  }
  return { index: low - 1, record: found, count }
}
