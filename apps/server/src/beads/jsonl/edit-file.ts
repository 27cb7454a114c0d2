import { ISSUES_FILE, TrackerError, type ChangeOutcome, type Issues, type TrackerChange } from '../../ports/tracker.ts'
import { isMarked, MARK_BYTES } from './byte-order-mark.ts'

/** A range of a file, and the bytes that replace it. */
export type Splice = { at: number; length: number; bytes: Uint8Array }

const NEWLINE = 10

type Found = { at: number; bytes: Uint8Array }

/**
 * Makes the same changes as `editIssues`, and returns the few places where the file changes: it comes in pieces and is
 * never in memory as a whole. Throws `TrackerError`.
 */
export async function editFile(
  issues: Issues,
  pieces: AsyncIterable<Uint8Array>,
  changes: readonly TrackerChange[],
  now: number,
): Promise<{ splices: Splice[]; outcomes: ChangeOutcome[] }> {
  const scanned = await scanFile(issues, pieces, changes)
  if (scanned === null) {
    const later: ChangeOutcome = { result: 'later', text: `${ISSUES_FILE} takes too much work to read` }
    return { splices: [], outcomes: changes.map(() => later) }
  }
  const { conflict, found, highest } = scanned
  if (conflict > 0) {
    const text = `line ${conflict} of the file is a git conflict marker: resolve the conflict first`
    return { splices: [], outcomes: changes.map(() => ({ result: 'later', text })) }
  }
  const known = [...found].sort(([, a], [, b]) => a.at - b.at)
  const text = known.map(([, { bytes }]) => `${textOf(bytes)}\n`).join('')
  const edited = await issues.edit(text, changes, now, highest)
  const splices: Splice[] = []
  const added: { id: string; line: string }[] = []
  for (const { id, line } of edited.changed) {
    const former = found.get(id)
    if (line === null) continue
    if (former === undefined) added.push({ id, line: line.replace(/\r$/, '') })
    else if (line !== textOf(former.bytes))
      splices.push({ at: former.at, length: former.bytes.length, bytes: Buffer.from(line) })
  }
  // New beads keep the order of their creation, although an earlier change may name one already.
  const created = new Map<string, number>()
  for (const [at, { kind, bead }] of changes.entries())
    if (kind === 'create' && !created.has(bead)) created.set(bead, at)
  added.sort((a, b) => (created.get(a.id) ?? 0) - (created.get(b.id) ?? 0))
  return { splices: [...splices, ...insertions(scanned, added)].sort(inOrder), outcomes: edited.outcomes }
}

/** A new line comes before a replacement at the same place. */
const inOrder = (a: Splice, b: Splice): number => a.at - b.at || a.length - b.length

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** New beads, each in its place if the file is sorted by ids, otherwise at the end. */
function insertions(
  { isSorted, places, size, endsLine, carriage }: Scanned,
  added: readonly { id: string; line: string }[],
): Splice[] {
  const texts = new Map<number, string>()
  for (const { id, line } of isSorted ? added.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : added) {
    const at = (isSorted ? places.get(id) : undefined) ?? size
    // A last line without a line end becomes the last but one, and the new one has no end either.
    const whole = at === size && !endsLine ? `\n${line}${carriage}` : `${line}${carriage}\n`
    texts.set(at, (texts.get(at) ?? '') + whole)
  }
  return [...texts].map(([at, text]) => ({ at, length: 0, bytes: Buffer.from(text) }))
}

type Scanned = {
  found: Map<string, Found>
  places: Map<string, number>
  isSorted: boolean
  highest: number
  /** The number of the first conflict marker's line; 0 if there is none. */
  conflict: number
  size: number
  endsLine: boolean
  /** The text before a line's newline. */
  carriage: string
}

async function scanFile(
  issues: Issues,
  pieces: AsyncIterable<Uint8Array>,
  changes: readonly TrackerChange[],
): Promise<Scanned | null> {
  const wanted = {
    ids: new Set<string>(changes.map(({ bead }) => bead)),
    added: changes.flatMap((change) => (change.kind === 'create' ? [change.bead as string] : [])),
    comments: changes.some(({ kind }) => kind === 'comment'),
  }
  const all: Scanned = {
    found: new Map(),
    places: new Map(),
    isSorted: true,
    highest: 0,
    conflict: 0,
    size: 0,
    endsLine: true,
    carriage: '',
  }
  let [lines, last] = [0, null as string | null]
  for await (const whole of wholeLines(pieces)) {
    // A byte order mark stays at the very start.
    if (all.size === 0 && isMarked(whole)) all.size = MARK_BYTES
    const bytes = all.size === MARK_BYTES && isMarked(whole) ? whole.subarray(MARK_BYTES) : whole
    const scan = await issues.scan(bytes, wanted)
    if (scan === null) return null
    if (!scan.isText)
      throw new TrackerError('broken', `${ISSUES_FILE} is not UTF-8, so it is not written: fix it, then sync again`)
    if (lines === 0) {
      const end = bytes.indexOf(NEWLINE)
      all.carriage = end > 0 && bytes[end - 1] === 0x0d ? '\r' : ''
    }
    if (all.conflict === 0 && scan.conflict >= 0) all.conflict = lines + scan.conflict + 1
    if (!scan.isSorted || (last !== null && scan.first !== null && last >= scan.first)) all.isSorted = false
    for (const { id, at, bytes: line } of scan.found) all.found.set(id, { at: all.size + at, bytes: line })
    for (const { id, at } of scan.places) if (!all.places.has(id)) all.places.set(id, all.size + at)
    all.highest = Math.max(all.highest, scan.highest)
    lines += scan.lines
    last = scan.last ?? last
    all.size += bytes.length
    all.endsLine = bytes.at(-1) === NEWLINE
  }
  return all
}

/** Pieces that end with a line, except for the last one. */
async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield new Uint8Array(Buffer.concat([...held, piece.subarray(0, end)]))
      held = []
    }
    if (end < piece.length) held.push(new Uint8Array(piece.subarray(end)))
  }
  if (held.length > 0) yield new Uint8Array(Buffer.concat(held))
}
