import type { PatchLine } from './patch.ts'
import * as code from './words.ts'

/** One test in a change: its name, its lines and its assertions. Lines are plain. */
export type TestBlock = {
  title: string
  lines: string[]
  assertions: string[]
  /** Only its first line changed: the body is still there, in another test. */
  bodyStays: boolean
}

export type Blocks = {
  /** Tests whose first line was removed or added. */
  removed: TestBlock[]
  added: TestBlock[]
  /** Tests whose body is still there, but as a function that no runner calls. */
  disarmed: string[]
  /** The name of the test that each changed line belongs to; '' if that test's first line is not near it. */
  ownerOf: Map<PatchLine, string>
  /** Markers on new tests. */
  fresh: Set<PatchLine>
}

/** Assigns removed and added lines to their tests. */
export function testBlocks(lines: readonly PatchLine[]): Blocks {
  const found: Blocks = { removed: [], added: [], disarmed: [], ownerOf: new Map(), fresh: new Set() }
  const open: Record<'+' | '-', TestBlock | null> = { '+': null, '-': null }
  const ends = endsOfNew(lines)
  let title = ''
  let hunk = 0
  for (const [at, line] of lines.entries()) {
    const { sign, plain } = line
    if (line.hunk !== hunk) {
      hunk = line.hunk
      title = ''
      open['+'] = open['-'] = null
    }
    if (code.isDeclaration(plain)) {
      title = code.titleOf(plain)
      if (sign === ' ') open['+'] = open['-'] = null
      else {
        const assertions = code.isAssertion(plain) ? [plain] : []
        const block = { title, lines: [plain], assertions, bodyStays: bodyStays(lines[ends[at] ?? lines.length]) }
        open[sign] = block
        ;(sign === '-' ? found.removed : found.added).push(block)
        if (sign === '-' && isDisarmed(lines, at)) found.disarmed.push(title || nameBelow(lines, at))
      }
    } else takeLine(open, line, (name) => (title = name))
    if (sign !== ' ') found.ownerOf.set(line, open[sign]?.title ?? title)
    if (sign === '+' && isOnNewTest(lines, at, open['+'])) found.fresh.add(line)
  }
  // A test whose first line is only rewritten is not new.
  const former = new Set(found.removed.map(({ title }) => title))
  for (const line of found.fresh) if (former.has(found.ownerOf.get(line) || '-')) found.fresh.delete(line)
  return found
}

/** The names of new tests. */
export function newTests({ added, removed }: Pick<Blocks, 'added' | 'removed'>): Set<string> {
  const names = new Set(added.map(({ title }) => title))
  for (const { title } of removed) names.delete(title)
  return names
}

function takeLine(
  open: Record<'+' | '-', TestBlock | null>,
  { sign, plain }: PatchLine,
  named: (title: string) => void,
): void {
  if (sign === ' ') {
    const name = code.functionOf(plain)
    for (const block of [open['-'], open['+']]) if (block && block.title === '' && name !== null) block.title = name
    if (name !== null) named(name)
    return
  }
  const block = open[sign]
  if (!block) return
  if (block.title === '') block.title = code.functionOf(plain) ?? ''
  block.lines.push(plain)
  if (code.isAssertion(plain)) block.assertions.push(plain)
}

/**
 * Whether a test's removed first line was replaced by a function that is no test: `def _test_a` for `def test_a`, or
 * the method below a removed `@Test`.
 */
function isDisarmed(lines: readonly PatchLine[], at: number): boolean {
  const annotation = /^\s*(?:@|\[|#\[)/.test(lines[at]?.plain ?? '')
  let below = at + 1
  for (let line = lines[below]; line?.sign === '-'; line = lines[++below])
    // Lines of its body are gone, too: it was removed or rewritten, and other rules look at that.
    if (code.isAssertion(line.plain) || code.isDeclaration(line.plain)) return false
  const gone = lines.slice(at + 1, below)
  const added = []
  for (let next = below; lines[next]?.sign === '+'; next++) added.push(lines[next]?.plain ?? '')
  if (added.some((plain) => code.isDeclaration(plain))) return false
  if (annotation) {
    const next = lines[below + added.length]
    const name = [...added, next?.sign === ' ' ? next.plain : ''].some((plain) => code.functionOf(plain) !== null)
    return name && !gone.some(({ plain }) => code.functionOf(plain) !== null && added.length === 0)
  }
  return added.length > 0 && added.length <= 2 && code.functionOf(added.at(-1) ?? '') !== null
}

/** The first line below each line that is not new. */
function endsOfNew(lines: readonly PatchLine[]): number[] {
  const ends: number[] = []
  for (let at = lines.length - 1; at >= 0; at--)
    ends[at] = lines[at + 1]?.sign === '+' ? (ends[at + 1] ?? lines.length) : at + 1
  return ends
}

/** @param below the first line below the test's own that is not new */
const bodyStays = (below: PatchLine | undefined): boolean =>
  below?.sign === ' ' && below.plain !== '' && !/^[)}\]]/.test(below.plain) && !code.isDeclaration(below.plain)

const nameBelow = (lines: readonly PatchLine[], at: number): string =>
  lines.slice(at + 1, at + 6).flatMap(({ plain }) => code.functionOf(plain) ?? [])[0] ?? ''

/** Whether an added line marks something new: the test that it begins, that follows it, or that contains it. */
function isOnNewTest(lines: readonly PatchLine[], at: number, within: TestBlock | null): boolean {
  const plain = lines[at]?.plain ?? ''
  if (code.isDeclaration(plain)) return true
  if (!/^(?:@|#\[|\[|# ?if)/.test(plain)) return within !== null
  for (const line of lines.slice(at + 1, at + 8)) {
    if (line.sign === '-') continue
    if (code.isDeclaration(line.plain) || code.functionOf(line.plain) !== null) return line.sign === '+'
  }
  // An attribute may follow the one that marks the test.
  return within !== null && within.assertions.length === 0
}
