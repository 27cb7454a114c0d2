import { issuesAtOnce } from '../beads/jsonl/issues-at-once.ts'
import { ISSUES_FILE, type ChangeOutcome, type Issues } from '../ports/tracker.ts'
import type { BlockText } from '../ports/tracker-blocks.ts'
import { orStopped } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'
import { SMALL_BLOCKS_BYTES, SMALL_BYTES } from './bounds.ts'
import type { Order } from './orders.ts'

const READING = "a tracker's file was read"
/**
 * A line of at least this length may be too expensive by itself: its bead is refused by name. Otherwise the file is.
 */
const LONG_LINE = 64 * 1024
/** Lines that are left out one by one. */
const MOST_LEFT_OUT = 3

/** Reads, changes and merges the text of a tracker's file, which anybody who may push to the repository can write. */
export function issuesAside(threads: AsideThreads): Issues {
  const ask = (order: Order, size: number) => threads.inTurn((thread) => thread.ask(order, size))
  return {
    async readBlocks(project, texts) {
      const size = sizeOf(texts)
      if (size <= SMALL_BLOCKS_BYTES) return issuesAtOnce.readBlocks(project, texts)
      const without = new Set<number>()
      for (;;) {
        const reading = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
        const answer = await ask({ do: 'issue-blocks', project, texts, without, reading }, size)
        if (answer !== null && 'blocks' in answer) return answer
        orStopped(answer, READING)
        const [line, length] = [Atomics.load(reading, 0), Atomics.load(reading, 1)]
        if (length < LONG_LINE || without.size === MOST_LEFT_OUT) return { refused: tooDear(line) }
        without.add(line)
      }
    },
    async beadsIn(project, picks) {
      const size = sizeOf(picks)
      if (size <= SMALL_BLOCKS_BYTES) return issuesAtOnce.beadsIn(project, picks)
      const answer = await ask({ do: 'issue-beads', project, picks }, size)
      if (answer !== null && 'beads' in answer) return answer
      orStopped(answer, READING)
      return { refused: tooDear(picks[0]?.first ?? 1) }
    },
    async edit(text, changes, now, comments) {
      if (text.length <= SMALL_BYTES) return issuesAtOnce.edit(text, changes, now, comments)
      const answer = await ask({ do: 'edit-issues', text, changes, now, comments: comments ?? null }, text.length)
      if (answer !== null && 'outcomes' in answer) return answer
      orStopped(answer, READING)
      const later: ChangeOutcome = { result: 'later', text: `${ISSUES_FILE} takes too much work to read` }
      return { text, outcomes: changes.map(() => later), changed: [] }
    },
    async scan(bytes, wanted) {
      if (bytes.length <= SMALL_BYTES) return issuesAtOnce.scan(bytes, wanted)
      const answer = await ask({ do: 'scan-issues', bytes, wanted }, bytes.length)
      if (answer !== null && 'isText' in answer) return answer
      orStopped(answer, READING)
      return null
    },
    async merge(former, ours, theirs) {
      const size = former.length + ours.length + theirs.length
      if (size <= SMALL_BYTES) return issuesAtOnce.merge(former, ours, theirs)
      const answer = await ask({ do: 'merge-issues', texts: [former, ours, theirs] }, size)
      if (answer !== null && 'merged' in answer) return answer.merged
      orStopped(answer, READING)
      return null
    },
  }
}

const tooDear = (line: number): string =>
  `${ISSUES_FILE} takes too much work to read: its reading was ended at line ${line}, and no bead was read. Look whether that line, or most lines before it, are broken, then sync again.`

const sizeOf = (texts: readonly BlockText[]): number => texts.reduce((sum, { bytes }) => sum + bytes.length, 0)
