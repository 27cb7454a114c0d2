import { hash } from 'node:crypto'
import type { TrackerFile } from '../../ports/tracker.ts'
import type { BlockGroup } from '../../ports/tracker-blocks.ts'
import { isMarked, MARK_BYTES } from '../jsonl/byte-order-mark.ts'
import type { KnownGroups } from './block-groups.ts'
import type { Tag } from './group-tag.ts'

/** Ten to twenty lines: few enough to be read at once when one of them has changed. */
const LEAST_BYTES = 3 * 1024
const MOST_BYTES = 8 * 1024
const NEWLINE = 10
/**
 * The first bytes of a line decide whether a block ends with it: they contain its id, and hardly anything that changes.
 */
const SIGN_BYTES = 32
/** Once a block is large enough, it ends with about every eighth line. */
const ONE_OF = 8

/** Whole lines of a file, in its order. The bytes belong to the cutter until the next piece. */
export type CutBlock = { hash: string; bytes: Uint8Array }
export type Cut = CutBlock | { group: BlockGroup }

/**
 * Cuts a file into blocks of whole lines, by the content of the lines and not by their position: an added, changed or
 * removed line changes its own block, and seldom the next. All others are recognised by their hash. If a known group of
 * blocks is expected, its bytes are compared as a whole, and cut only if they differ.
 */
export class BlockCutter {
  readonly #known: KnownGroups | null
  /**
   * Copies of bytes that are not cut yet. Unless a group is awaited, only the first of these pieces may contain
   * newlines.
   */
  #held: Buffer[] = []
  /** The group that the held bytes may begin. */
  #awaited: { group: BlockGroup; tag: Tag } | null = null
  #isFirst = true
  /** The hash of the previous block. */
  #former: string | null = null
  /** Whether it is known that no group begins with the held bytes. */
  #isTried = false

  constructor(known: KnownGroups | null = null) {
    this.#known = known
  }

  *push(piece: Uint8Array): Generator<Cut> {
    const lacking = this.#lacking
    if (lacking > piece.length || (lacking === 0 && this.#held.length > 0 && !piece.includes(NEWLINE))) {
      this.#awaited?.tag.add(piece)
      this.#held.push(Buffer.from(piece))
      return
    }
    if (lacking === 0) return yield* this.#cut(this.#withHeld(piece))
    const group = this.#awaitedWith(piece.subarray(0, lacking))
    if (group === null) return yield* this.#cut(this.#withHeld(piece))
    this.#held = []
    yield { group }
    yield* this.#cut(asBuffer(piece).subarray(lacking))
  }

  /** Cuts the rest; its last line may have no end. */
  *end(): Generator<Cut> {
    this.#awaited = null
    yield* this.#cut(this.#withHeld(new Uint8Array(0)), true)
  }

  /** The number of bytes that the awaited group still lacks. */
  get #lacking(): number {
    return this.#awaited === null ? 0 : this.#awaited.group.bytes - this.#awaited.tag.bytes
  }

  /** The awaited group, completed by these bytes; null if it is another one. */
  #awaitedWith(rest: Uint8Array): BlockGroup | null {
    if (this.#awaited === null) return null
    const { group, tag } = this.#awaited
    this.#awaited = null
    tag.add(rest)
    return this.#judge(group, tag)
  }

  *#cut(bytes: Buffer, isEnd = false): Generator<Cut> {
    let from = 0
    for (;;) {
      const group = isEnd ? null : this.#groupAt(bytes, from)
      if (group !== null) {
        from += group.bytes
        yield { group }
        continue
      }
      const end = this.#awaited === null ? endOf(bytes, from) || (isEnd ? bytes.length : 0) : 0
      if (end <= from) break
      const block = blockOf(bytes.subarray(from, end))
      this.#former = block.hash
      this.#isTried = false
      from = end
      yield block
    }
    if (from < bytes.length) this.#held = [Buffer.from(bytes.subarray(from))]
  }

  /** The known group at this position, if all of it is here. If only its beginning is, the group is awaited. */
  #groupAt(bytes: Buffer, from: number): BlockGroup | null {
    if (this.#known === null || this.#isTried || from === bytes.length) return null
    const group = this.#known.following(this.#former)
    if (group === null) return null
    const tag = this.#known.begin()
    tag.add(bytes.subarray(from, from + group.bytes))
    if (tag.bytes < group.bytes) {
      this.#awaited = { group, tag }
      return null
    }
    return this.#judge(group, tag)
  }

  #judge(group: BlockGroup, tag: Tag): BlockGroup | null {
    const isSame = tag.end() === group.tag
    this.#isTried = !isSame
    if (!isSame) return null
    this.#isFirst = false
    this.#former = this.#known?.lastOf(group) ?? null
    return group
  }

  #withHeld(piece: Uint8Array): Buffer {
    const bytes = this.#held.length === 0 ? asBuffer(piece) : Buffer.concat([...this.#held, piece])
    this.#held = []
    if (!this.#isFirst || bytes.length < MARK_BYTES) return bytes
    this.#isFirst = false
    return isMarked(bytes) ? bytes.subarray(MARK_BYTES) : bytes
  }
}

/** The blocks of a file, piece by piece. The caller uses them before it asks for the next. */
export async function* cutsOf(
  { pieces }: Pick<TrackerFile, 'pieces'>,
  known: KnownGroups,
): AsyncGenerator<Iterable<Cut>> {
  const cutter = new BlockCutter(known)
  for await (const piece of pieces()) yield cutter.push(piece)
  yield cutter.end()
}

/** The blocks of a file, one by one, without known groups. */
export async function* blocksOf({ pieces }: Pick<TrackerFile, 'pieces'>): AsyncGenerator<Iterable<CutBlock>> {
  const cutter = new BlockCutter()
  for await (const piece of pieces()) yield onlyBlocks(cutter.push(piece))
  yield onlyBlocks(cutter.end())
}

/** The blocks, if no group is known. */
export function* onlyBlocks(cuts: Iterable<Cut>): Generator<CutBlock> {
  for (const cut of cuts) if ('hash' in cut) yield cut
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const blockOf = (bytes: Uint8Array): CutBlock => ({ hash: hash('sha256', bytes, 'base64url'), bytes })

/** The end of the block that begins at `from`; 0 if it is not in these bytes. */
function endOf(bytes: Buffer, from: number): number {
  let newline = bytes.indexOf(NEWLINE, from + LEAST_BYTES)
  if (newline < 0) return 0
  let line = bytes.lastIndexOf(NEWLINE, newline - 1) + 1
  for (;;) {
    if (newline - from >= MOST_BYTES || endsBlock(bytes, Math.max(line, from), newline)) return newline + 1
    line = newline + 1
    newline = bytes.indexOf(NEWLINE, line)
    if (newline < 0) return 0
  }
}

function endsBlock(bytes: Buffer, line: number, newline: number): boolean {
  const end = Math.min(newline, line + SIGN_BYTES)
  let sign = 7
  for (let at = line; at < end; at++) sign = (Math.imul(sign, 31) + (bytes[at] ?? 0)) | 0
  return ((sign >>> 8) ^ sign) % ONE_OF === 0
}
