import { StringDecoder } from 'node:string_decoder'
import { DigestReader, type Digest, type DigestOptions } from '@beadloom/core/digest/digest-reader.ts'
import type { Found } from '@beadloom/core/environment/found.ts'
import { look } from '@beadloom/core/environment/look.ts'
import type { SecretsOfChange } from '@beadloom/core/secrets/found-secret.ts'
import { testsOfChange, type TestsOfChange } from '@beadloom/core/tamper/tests-of-change.ts'
import type { WorkChange } from '@beadloom/core/tamper/tamper.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { verdictReadings, type VerdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import { editIssues } from '../beads/jsonl/edit-issues.ts'
import { scanLines } from '../beads/jsonl/edit-scan.ts'
import { mergeIssues } from '../beads/jsonl/merge-issues.ts'
import { beadsIn, readBlock } from '../beads/reading/read-block.ts'
import type { TrackedBead } from '../ports/store/beads.ts'
import type { EditedIssues, TrackerChange } from '../ports/tracker.ts'
import type { BeadPick, BlockRead, BlockText, LinesScan, LinesWanted } from '../ports/tracker-blocks.ts'
import type { WholeBytes } from '../ports/whole-bytes.ts'

/*
 * The orders of a thread aside, and its answers. Messages are copied, so they are plain, and large ones are one text
 * each: copying a list of a hundred thousand paths is expensive.
 */

/** Bytes as they came. Each run says how many of the next bytes belong to which stream. */
export type Piece = { bytes: Uint8Array; runs: [stream: 'stdout' | 'stderr', length: number][] }

/**
 * Orders of one reading, in order; an answer comes for each. `environment`: paths are joined by zero bytes, and
 * `reading[0]` holds, during the work, the index of the text that was asked for last. `issue-blocks`: `reading` holds
 * the number of the current line and its length; lines `without` are not read.
 */
export type Order =
  | { do: 'begin'; options: DigestOptions }
  | { do: 'push'; piece: Piece }
  | { do: 'end'; exitCode: number | null }
  | { do: 'environment'; paths: string; texts: [path: string, text: string][]; reading: Int32Array }
  | { do: 'tests'; change: WorkChange }
  | { do: 'verdict'; reading: keyof VerdictReadings; given: readonly unknown[] }
  | {
      do: 'issue-blocks'
      project: ProjectId
      texts: readonly BlockText[]
      without: ReadonlySet<number>
      reading: Int32Array
    }
  | { do: 'issue-beads'; project: ProjectId; picks: readonly BeadPick[] }
  | { do: 'edit-issues'; text: string; changes: readonly TrackerChange[]; now: number; comments: number | null }
  | { do: 'scan-issues'; bytes: Uint8Array; wanted: LinesWanted }
  | { do: 'merge-issues'; texts: [former: string, ours: string, theirs: string] }
  | SecretsOrder

/**
 * Patches come as bytes because they may be large. Not part of `Readings`: the server's own thread need not load the
 * rules.
 */
export type SecretsOrder =
  | { do: 'secrets'; patches: readonly Uint8Array[]; texts: readonly WholeBytes[] }
  | { do: 'mask'; texts: readonly string[] }

export type Answer =
  | null
  | Digest
  | Found
  | TestsOfChange
  | SecretsOfChange
  | { blocks: BlockRead[] }
  | { beads: TrackedBead[] }
  | { masked: string[] }
  | EditedIssues
  | LinesScan
  | { merged: string | null }
  | { verdict: unknown }
type Reading = (...given: readonly unknown[]) => unknown

/** `ready`: everything a thread needs is loaded, and its time counts from here. */
export type Told = 'ready' | { answer: Answer }

/** The readings themselves, for a thread aside and for small text on the server's own thread. One output at a time. */
export class Readings {
  #digest: { reader: DigestReader; decoders: Record<'stdout' | 'stderr', StringDecoder> } | null = null

  answer = (order: Exclude<Order, SecretsOrder>): Answer => {
    if (order.do === 'environment') return this.#environment(order)
    if (order.do === 'tests') return testsOfChange(order.change)
    if (order.do === 'verdict') return { verdict: (verdictReadings[order.reading] as Reading)(...order.given) }
    if (order.do === 'issue-blocks') return this.#blocks(order)
    if (order.do === 'issue-beads') return { beads: order.picks.flatMap((pick) => beadsIn(order.project, pick)) }
    if (order.do === 'edit-issues') return editIssues(order.text, order.changes, order.now, order.comments)
    if (order.do === 'scan-issues') return scanLines(order.bytes, order.wanted)
    if (order.do === 'merge-issues') return { merged: mergeIssues(...order.texts) }
    if (order.do === 'begin') {
      const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
      this.#digest = { reader: new DigestReader(order.options), decoders }
      return null
    }
    const digest = this.#digest
    if (!digest) throw new Error('an output was not begun')
    if (order.do === 'push') {
      let from = 0
      const bytes = Buffer.from(order.piece.bytes.buffer, order.piece.bytes.byteOffset, order.piece.bytes.byteLength)
      for (const [stream, length] of order.piece.runs) {
        digest.reader.push(digest.decoders[stream].write(bytes.subarray(from, from + length)))
        from += length
      }
      return null
    }
    this.#digest = null
    return digest.reader.end(order.exitCode)
  }

  #blocks({ project, texts, without, reading }: Extract<Order, { do: 'issue-blocks' }>): { blocks: BlockRead[] } {
    const begin = (line: number, length: number) => {
      Atomics.store(reading, 0, line)
      Atomics.store(reading, 1, length)
    }
    return { blocks: texts.map((text) => readBlock(project, text, { begin, without })) }
  }

  #environment({ paths, texts, reading }: Extract<Order, { do: 'environment' }>): Found {
    const places = new Map(texts.map(([path], at) => [path, at]))
    const noted = new NotedTexts(texts, (path) => Atomics.store(reading, 0, places.get(path) ?? -1))
    return look({ paths: paths === '' ? [] : paths.split('\0'), texts: noted })
  }
}

/** Notes which text is asked for: if a reading never ends, the last one is to blame. */
class NotedTexts extends Map<string, string> {
  readonly #note: (path: string) => void

  constructor(texts: readonly [string, string][], note: (path: string) => void) {
    super(texts)
    this.#note = note
  }

  override get(path: string): string | undefined {
    this.#note(path)
    return super.get(path)
  }
}
