export type SmallDiff = {
  added: number
  removed: number
  /** `file`: the name of the file with the lines after it. `note`: our own words. */
  lines: { kind: 'added' | 'removed' | 'same' | 'file' | 'note'; text: string }[]
}

/** The server keeps 4096 characters of a call, so this is generous. Longer texts are shown as replaced completely. */
const MOST_LINES = 400

/** The changed lines of an edit, with the longest common part kept. Takes at most 400 × 400 steps. */
export function smallDiff(before: string, after: string): SmallDiff {
  const [old, now] = [linesOf(before), linesOf(after)]
  let [head, tail] = [0, 0]
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  const most = Math.min(old.length, now.length) - head
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const [gone, come] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  const same = (texts: string[]) => texts.map((text) => ({ kind: 'same' as const, text }))
  const lines = [...same(old.slice(0, head)), ...middle(gone, come), ...same(old.slice(old.length - tail))]
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  return { added: count('added'), removed: count('removed'), lines }
}

const SIGNS = new Map([
  ['+', 'added'],
  ['-', 'removed'],
  [' ', 'same'],
] as const)

/** The hunks of a unified diff, without their headers; the gap between two hunks is marked. */
export function patchDiff(hunks: string): SmallDiff {
  const lines: SmallDiff['lines'] = []
  for (const line of linesOf(hunks)) {
    const kind = line === '' ? 'same' : SIGNS.get(line.charAt(0) as ' ')
    if (kind !== undefined) lines.push({ kind, text: line.slice(1) })
    else if (line.startsWith('@@') && lines.length > 0) lines.push({ kind: 'note', text: '⋯' })
  }
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  return { added: count('added'), removed: count('removed'), lines }
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function middle(old: string[], now: string[]): SmallDiff['lines'] {
  const removed = (text: string) => ({ kind: 'removed' as const, text })
  const added = (text: string) => ({ kind: 'added' as const, text })
  if (old.length > MOST_LINES || now.length > MOST_LINES) return [...old.map(removed), ...now.map(added)]
  const longest = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--)
      longest[a]![b] =
        old[a] === now[b] ? longest[a + 1]![b + 1]! + 1 : Math.max(longest[a + 1]![b]!, longest[a]![b + 1]!)
  const found: SmallDiff['lines'] = []
  let [a, b] = [0, 0]
  while (a < old.length || b < now.length) {
    if (a < old.length && b < now.length && old[a] === now[b]) {
      found.push({ kind: 'same', text: old[a]! })
      a++
      b++
    } else if (a < old.length && (b >= now.length || longest[a + 1]![b]! >= longest[a]![b + 1]!))
      found.push(removed(old[a++]!))
    else found.push(added(now[b++]!))
  }
  return found
}
