import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import type { Paint } from '../terminal/paint.ts'
import { cutText, oneLiner, padText, plainText, textWidth } from '../terminal/terminal-text.ts'

const MOST_BAR_COLUMNS = 40
const LEAST_NAME_COLUMNS = 12

const nameOf = ({ path, oldPath }: DiffFileView): string => oneLiner(oldPath === null ? path : `${oldPath} → ${path}`)

/** One line per file with the size of its change, and the sum. */
export function statLines(files: readonly DiffFileView[], columns: number, paint: Paint): string[] {
  const names = files.map(nameOf)
  const widest = Math.max(0, ...names.map(textWidth))
  const counts = files.map(({ added, removed }) => (added === null ? 'binary' : String(added + (removed ?? 0))))
  const count = Math.max(0, ...counts.map((text) => text.length))
  const most = Math.max(1, ...files.map(({ added, removed }) => (added ?? 0) + (removed ?? 0)))
  const bar = columns === Infinity ? MOST_BAR_COLUMNS : Math.min(MOST_BAR_COLUMNS, Math.floor(columns / 4))
  const name = Math.min(widest, Math.max(LEAST_NAME_COLUMNS, columns - count - bar - 7))
  const lines = files.map(({ status, added, removed }, at) => {
    const scale = (part: number): number =>
      most <= bar ? part : part === 0 ? 0 : Math.max(1, Math.round((part / most) * bar))
    const plus = scale(added ?? 0)
    const minus = Math.min(scale(removed ?? 0), Math.max(0, bar - plus))
    const signs = `${paint.green('+'.repeat(plus))}${paint.red('-'.repeat(minus))}`
    const left = `${status} ${padText(cutText(names[at] ?? '', name), name)} | ${(counts[at] ?? '').padStart(count)}`
    return `${left} ${signs}`.trimEnd()
  })
  return [...lines, sumLine(files)]
}

function sumLine(files: readonly DiffFileView[]): string {
  const sum = (which: 'added' | 'removed'): number => files.reduce((all, file) => all + (file[which] ?? 0), 0)
  return `${counted(files.length, 'file')} changed, +${sum('added')} −${sum('removed')}`
}

/** A unified diff in git's colours, with readable file names. */
export function patchText(patch: string, paint: Paint): string {
  let isHead = false
  return patch
    .split('\n')
    .map((raw) => {
      // A line of a file may look like a line of the head.
      isHead = raw.startsWith('diff --git ') || (isHead && !raw.startsWith('@@'))
      const line = plainText(isHead ? withPlainNames(raw) : raw).replaceAll('\r', '')
      if (line.startsWith('@@')) return paint.cyan(line)
      if (/^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename |old mode|new mode)/.test(line))
        return paint.bold(line)
      if (line.startsWith('+')) return paint.green(line)
      if (line.startsWith('-')) return paint.red(line)
      return line
    })
    .join('\n')
}

/** Git puts a name with non-English letters in quotation marks, each byte as three octal digits. */
const QUOTED = /"((?:[^"\\]|\\(?:[0-7]{3}|[abtnvfr"\\]))*)"/g

const withPlainNames = (line: string): string =>
  line.replace(QUOTED, (quoted, inside: string) => {
    // A special or invisible character keeps the name in quotation marks: it could pose as another.
    if (/\\[^0-7]/.test(inside)) return quoted
    const bytes = inside.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    try {
      const name = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'))
      return name === oneLiner(name) ? name : quoted
    } catch {
      return quoted
    }
  })
