import type { BlockGroup, KnownBlock, TrackerMemory } from '../../ports/tracker-blocks.ts'
import { Tags, type Tag } from './group-tag.ts'

/** A group ends with the block that makes it this large. */
const GROUP_BYTES = 512 * 1024
/**
 * The least size of a group before a known one or at the end of the file. A smaller one is not worth its tag: its
 * blocks are cut each time.
 */
const LEAST_BYTES = 64 * 1024
/** Used as the hash before the first block of a file. */
const START = ''

const tags = new Tags()

/** The groups of the last reading, by the hash of the block before each. */
export class KnownGroups {
  readonly #after = new Map<string, BlockGroup>()
  readonly #blocks: readonly KnownBlock[]

  /** @param without hashes of blocks whose text is wanted, so that their groups do not count */
  constructor(memory: TrackerMemory | null, without: ReadonlySet<string>) {
    this.#blocks = memory?.blocks ?? []
    for (const group of memory?.groups ?? []) {
      if (without.size > 0 && this.blocksOf(group).some(({ hash }) => without.has(hash))) continue
      this.#after.set(group.first === 0 ? START : (this.#blocks[group.first - 1]?.hash ?? START), group)
    }
  }

  blocksOf({ first, count }: BlockGroup): readonly KnownBlock[] {
    return this.#blocks.slice(first, first + count)
  }

  /** @param former the hash of the previous block; null: the file begins here */
  following(former: string | null): BlockGroup | null {
    return this.#after.get(former ?? START) ?? null
  }

  lastOf({ first, count }: BlockGroup): string {
    return this.#blocks[first + count - 1]?.hash ?? START
  }

  begin(): Tag {
    return tags.begin()
  }
}

/** Groups the blocks of a file while they are cut, and takes over known groups. */
export class Grouping {
  readonly #done: BlockGroup[] = []
  #tag: Tag | null = null
  #count = 0
  #blocks = 0

  add(bytes: Uint8Array): void {
    this.#tag ??= tags.begin()
    this.#tag.add(bytes)
    this.#count += 1
    this.#blocks += 1
    if (this.#tag.bytes >= GROUP_BYTES) this.#close()
  }

  take(group: BlockGroup): void {
    this.#close()
    this.#done.push({ ...group, first: this.#blocks })
    this.#blocks += group.count
  }

  /** Returns the groups, without one that contains the file's last block: that would be longer if more followed. */
  end(): BlockGroup[] {
    return this.#done.filter(({ first, count }) => first + count < this.#blocks)
  }

  #close(): void {
    const [tag, count] = [this.#tag, this.#count]
    ;[this.#tag, this.#count] = [null, 0]
    if (tag !== null && tag.bytes >= LEAST_BYTES)
      this.#done.push({ first: this.#blocks - count, count, bytes: tag.bytes, tag: tag.end() })
  }
}
