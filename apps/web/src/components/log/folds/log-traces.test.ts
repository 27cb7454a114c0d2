import { beforeEach, describe, expect, test } from 'vitest'
import { LogFolds } from './log-folds.ts'

const nothing = () => false
let lines: (string | undefined)[] = []
let folds = new LogFolds()

const text = (count: number) => Array.from({ length: count }, () => 'text')
const trace = (frames: number) => ['Error: no', ...Array.from({ length: frames }, (_, n) => `    at f (p.ts:${n})`)]
const look = (blocks: number[], spare: (range: { first: number; end: number }) => boolean = nothing) => {
  const changed = folds.traces.look(blocks, lines.length, (n) => lines[n], spare)
  if (changed) folds.rebuild()
  return changed
}
const hidden = () => lines.flatMap((_, n) => (folds.map.shows(n) ? [] : [n]))
const from = (first: number, end: number) => Array.from({ length: end - first }, (_, n) => first + n)

beforeEach(() => {
  lines = [...text(5), ...trace(20), ...text(5), ...trace(12), 'end']
  folds = new LogFolds()
})

describe('stack traces of a log', () => {
  test('fold if they are longer than 12 lines; shorter ones can be folded', () => {
    expect(look([0])).toBe(true)
    expect(hidden()).toEqual(from(6, 26))
    expect(folds.headAt(5)).toEqual({ of: 'trace', folded: true, hides: 20, exit: null })
    expect(folds.headAt(31)).toMatchObject({ folded: false, hides: 12 })
    expect(look([0])).toBe(false)
  })

  test('open and fold by any of their lines, all at once, and for a searched line', () => {
    look([0])
    folds.toggle(5)
    expect(hidden()).toEqual([])
    folds.toggle(35)
    expect(hidden()).toEqual(from(32, 44))
    folds.toggleAll()
    expect(hidden()).toEqual([...from(6, 26), ...from(32, 44)])
    expect(folds.reveal(40)).toBe(true)
    expect(hidden()).toEqual(from(6, 26))
    folds.toggleAll()
    folds.toggleAll()
    expect(hidden()).toEqual([])
  })

  test('fold within a foldable section, too', () => {
    folds.setSections([
      { kind: 'section', title: 'test', command: null, first: 2, last: 28, exit: 1, startedAt: 0, endedAt: 1 },
    ])
    look([0])
    expect(folds.toggle(3)).toBe(2)
    expect(hidden()).toEqual(from(3, 29))
    folds.reveal(10)
    expect(hidden()).toEqual([])
  })

  test('stay open if folding would hide lines that are being read, and fold by hand', () => {
    look([0], ({ first, end }) => first <= 10 && end > 10)
    expect(hidden()).toEqual([])
    expect(folds.headAt(5)).toMatchObject({ folded: false })
    folds.toggle(5)
    expect(hidden()).toEqual(from(6, 26))
  })

  test('fold while they are printed, and hide later lines', () => {
    lines = trace(12)
    look([0])
    expect(hidden()).toEqual([])
    lines = trace(13)
    look([0])
    expect(hidden()).toEqual(from(1, 14))
    lines = [...trace(40), 'end']
    look([0])
    expect(hidden()).toEqual(from(1, 41))
  })

  test('that cross the border of blocks are one trace once both blocks are loaded; until then, a part without a head stays open', () => {
    const whole = [...text(500), ...trace(30), ...text(600)]
    lines = whole.map((line, n) => (n < 512 ? undefined : line))
    look([1])
    expect(hidden()).toEqual([])
    lines = whole
    look([1])
    expect(hidden()).toEqual(from(501, 531))
    folds = new LogFolds()
    look([0])
    expect(hidden()).toEqual(from(501, 531))
  })
})
