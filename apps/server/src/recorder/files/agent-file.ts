import { SideFile } from './side-file.ts'

const BATCH_BYTES = 64 * 1024

/**
 * An agent's own output, line by line as it came, beside the log that explains it. After a restart a session's output
 * is read again from its beginning, so this file is written anew then and holds nothing twice. An error with it damages
 * nothing else. It is created with the first line: most sessions have none.
 */
export class AgentFile {
  readonly #path: string
  readonly #limit: number
  readonly #report: (error: unknown) => void
  #file: Promise<SideFile> | null = null
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #written = 0
  #full = false

  constructor(path: string, limit: number, report: (error: unknown) => void) {
    this.#path = path
    this.#limit = limit
    this.#report = report
  }

  take(text: string): void {
    if (this.#full) return
    const bytes = Buffer.from(text)
    this.#full = this.#written + this.#waitingBytes + bytes.length > this.#limit
    if (this.#full) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
  }

  /** Resolves when there is room for more; null: there is room. */
  makeRoom(): Promise<void> | null {
    return this.#waitingBytes >= BATCH_BYTES ? this.#write() : null
  }

  async close(): Promise<void> {
    await this.#write()
    const file = await this.#file
    this.#file = null
    await file?.close()
  }

  async #write(): Promise<void> {
    if (this.#waitingBytes === 0) return
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    this.#file ??= emptied(this.#path, this.#report)
    const file = await this.#file
    if (await file.write(bytes, this.#written)) this.#written += bytes.length
  }
}

async function emptied(path: string, report: (error: unknown) => void): Promise<SideFile> {
  const file = await SideFile.toWrite(path, report)
  await file.truncate(0)
  return file
}
