import { mkdir, open, readdir, rm, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Offsets } from '../../ports/sandbox.ts'
import type { Clock } from '../../process/clock.ts'
import { patiently } from '../../process/patiently.ts'

/**
 * `first`: bytes of the beginning, enough for all that a record keeps of a long output; `piece`: bytes of each later
 * piece.
 */
export type CopyBounds = { first: number; piece: number }
const bounds: CopyBounds = { first: 512 * 1024 ** 2, piece: 64 * 1024 ** 2 }
const LATER_PIECES = 2
const READ_BYTES = 256 * 1024

/** The start of a piece, in the spool and in each stream. */
export type CopyPlace = Offsets & { offset: number }

/** `from`: its offset in the spool. `place`: the same, if a record begins there; null: one began before. */
export type Printed = { bytes: Uint8Array; from: number; place: CopyPlace | null }

type OpenPiece = { offset: number; file: FileHandle }

const NAME = /^copy-(\d{1,15})-(\d{1,15})-(\d{1,15})$/
const nameOf = ({ offset, stdout, stderr }: CopyPlace): string => `copy-${offset}-${stdout}-${stderr}`

function placeIn(name: string): CopyPlace[] {
  const found = NAME.exec(name)
  return found ? [{ offset: Number(found[1]), stdout: Number(found[2]), stderr: Number(found[3]) }] : []
}

/**
 * A copy on this host of a session's output, as its supervisor numbered it: the sandbox may then forget it, and the
 * next server finds it. The middle of a very long output is left out.
 */
export class OutputCopy {
  readonly #folder: string
  readonly #clock: Clock
  #pieces: CopyPlace[] = []
  /** The last piece, while it is written. */
  #file: FileHandle | null = null
  #mustBegin = false
  readonly #bounds: CopyBounds

  constructor(folder: string, clock: Clock, most: CopyBounds = bounds) {
    this.#folder = folder
    this.#clock = clock
    this.#bounds = most
  }

  /**
   * Reads an earlier server's copy, in order. It may end with half a record. If no more files may be opened, waits
   * until one may, or `stop` aborts.
   */
  async *read(stop: AbortSignal): AsyncGenerator<{ place: CopyPlace | null; bytes: Buffer }, void, undefined> {
    this.#pieces = await patiently(this.#clock, stop, () => piecesIn(this.#folder))
    for (const place of this.#pieces) {
      const file = await patiently(this.#clock, stop, () => open(join(this.#folder, nameOf(place))))
      try {
        for (let at: CopyPlace | null = place; ; at = null) {
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES))
          if (bytesRead === 0) break
          yield { place: at, bytes: buffer.subarray(0, bytesRead) }
        }
      } finally {
        await file.close()
      }
    }
  }

  /** Call it after `read`: bytes behind this offset were no whole record, and come again. */
  async cutAt(offset: number, stop: AbortSignal): Promise<void> {
    const last = this.#pieces.at(-1)
    if (!last) return
    const path = join(this.#folder, nameOf(last))
    await patiently(this.#clock, stop, () => truncate(path, Math.max(0, offset - last.offset)))
    this.#file = await patiently(this.#clock, stop, () => open(path, 'r+'))
  }

  /** Notes that something is missing before the next write. */
  gap(): void {
    this.#mustBegin = true
  }

  /**
   * Adds output. Waits, like a log, while the disk is full or no file is free; rejects for any other reason, and when
   * `stop` aborts.
   *
   * @param printed bytes without a gap between them
   */
  async write(printed: readonly Printed[], stop: AbortSignal): Promise<void> {
    for (let next = 0; next < printed.length;) {
      const first = printed[next]!
      let end = next + 1
      while (end < printed.length && !this.#mustBeginAt(printed[end]!)) end++
      const bytes = Buffer.concat(printed.slice(next, end).map((piece) => piece.bytes))
      await this.#writeInto(() => this.#pieceFor(first), bytes, first.from, stop)
      next = end
    }
  }

  /** The files stay. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close()
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #writeInto(piece: () => Promise<OpenPiece>, bytes: Buffer, from: number, stop: AbortSignal): Promise<void> {
    let done = 0
    return patiently(this.#clock, stop, async () => {
      const { offset, file } = await piece()
      while (done < bytes.length)
        done += (await file.write(bytes, done, bytes.length - done, from - offset + done)).bytesWritten
    })
  }

  #mustBeginAt({ from, place }: Printed): boolean {
    const last = this.#pieces.at(-1)
    const most = this.#pieces.length === 1 ? this.#bounds.first : this.#bounds.piece
    return !last || (place !== null && (this.#mustBegin || from - last.offset >= most))
  }

  async #pieceFor(printed: Printed): Promise<OpenPiece> {
    const { place } = printed
    const last = this.#pieces.at(-1)
    if (last && this.#file && !this.#mustBeginAt(printed)) return { offset: last.offset, file: this.#file }
    if (!place) throw new Error('a copy cannot begin in the middle of a record')
    await this.close()
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#file = await open(join(this.#folder, nameOf(place)), 'w', 0o600)
    this.#mustBegin = false
    const [first = place, ...later] = [...this.#pieces, place]
    for (const old of later.slice(0, -LATER_PIECES)) await rm(join(this.#folder, nameOf(old)), { force: true })
    this.#pieces = [first, ...later.slice(-LATER_PIECES)]
    return { offset: place.offset, file: this.#file }
  }
}

async function piecesIn(folder: string): Promise<CopyPlace[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.flatMap(placeIn).toSorted((a, b) => a.offset - b.offset)
}
