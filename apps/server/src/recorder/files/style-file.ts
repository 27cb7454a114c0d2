import type { FileHandle } from 'node:fs/promises'
import { plainStyle, sameStyle } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'
import { BLOCK_LINES } from '../../ports/logs.ts'
import { checkOf, readAt, wholeLines } from './file-bytes.ts'
import { LineIndex, entryCount, entryPosition, readEntry, type LogPosition } from './line-index.ts'
import type { SideFile } from './side-file.ts'

/*
 * The style with which each block of a log begins: u32 text colour, u32 background (both one more than in `Style`), u8
 * weights, u8 a sum over the rest, little endian, block 0 first. All of it can be made again from the log.
 */
const ENTRY_BYTES = 10
const READ_BYTES = 256 * 1024
const weights = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strike'] as const

/** Resolves with whether they were written. `first`: the block of the first of these styles. */
export function writeStyles(file: SideFile, first: number, styles: readonly Style[]): Promise<boolean> {
  const bytes = Buffer.alloc(styles.length * ENTRY_BYTES)
  for (const [index, style] of styles.entries()) {
    const at = index * ENTRY_BYTES
    bytes.writeUInt32LE(style.fg + 1, at)
    bytes.writeUInt32LE(style.bg + 1, at + 4)
    bytes.writeUInt8(
      weights.reduce((bits, weight, bit) => (style[weight] ? bits | (1 << bit) : bits), 0),
      at + 8,
    )
    bytes.writeUInt8(checkOf(bytes, at, ENTRY_BYTES - 1), at + 9)
  }
  return file.write(bytes, first * ENTRY_BYTES)
}

/** Null: it is missing or damaged. */
export async function readStyle(file: SideFile, block: number): Promise<Style | null> {
  return styleIn(await file.read(block * ENTRY_BYTES, ENTRY_BYTES), 0)
}

/** Drops the styles of blocks that a log with so many lines does not have. */
export const cutStyles = (file: SideFile, lines: number): Promise<boolean> =>
  file.truncate(lines === 0 ? 0 : entryCount(lines) * ENTRY_BYTES)

/** `index` and `log` are read; missing styles are added to `styles`. */
export type StyledFiles = { log: FileHandle; index: FileHandle; styles: SideFile }

/**
 * The style at the start of a line, by reading the log from the nearest earlier block whose style is known. Styles
 * found on the way are stored, so no part of a log is read twice for this.
 */
export async function styleAt({ log, index, styles }: StyledFiles, to: LogPosition): Promise<Style> {
  const wanted = Math.floor(to.logLines / BLOCK_LINES)
  const known = await lastKnown(styles, wanted)
  const start = readEntry(await readAt(index, entryPosition(known.block), entryPosition(1)))
  const lines = new LineIndex(known.block * BLOCK_LINES, start, known.style)
  lines.takeStyles()
  let next = known.block + 1
  while (lines.bytes < to.logBytes) {
    const text = await wholeLines(log, lines.bytes, READ_BYTES, to.logBytes)
    if (text.length === 0) break
    lines.append(text)
    const found = lines.takeStyles()
    if (found.length > 0) await writeStyles(styles, next, found)
    next += found.length
  }
  return lines.style
}

async function lastKnown(file: SideFile, wanted: number): Promise<{ block: number; style: Style }> {
  const bytes = await file.read(0, (wanted + 1) * ENTRY_BYTES)
  for (let block = Math.min(wanted, Math.floor(bytes.length / ENTRY_BYTES) - 1); block > 0; block -= 1) {
    const style = styleIn(bytes, block * ENTRY_BYTES)
    if (style) return { block, style }
  }
  return { block: 0, style: plainStyle }
}

function styleIn(bytes: Buffer, at: number): Style | null {
  if (at + ENTRY_BYTES > bytes.length || bytes.readUInt8(at + 9) !== checkOf(bytes, at, ENTRY_BYTES - 1)) return null
  const bits = bytes.readUInt8(at + 8)
  const style = { ...plainStyle, fg: bytes.readUInt32LE(at) - 1, bg: bytes.readUInt32LE(at + 4) - 1 }
  weights.forEach((weight, bit) => (style[weight] = (bits & (1 << bit)) !== 0))
  return sameStyle(style, plainStyle) ? plainStyle : style
}
