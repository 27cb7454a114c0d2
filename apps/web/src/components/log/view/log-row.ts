import type { StyledLine } from '../lines/ansi.ts'
import type { Theme } from '../lines/colours.ts'
import css from './log-view.module.css'
import type { FoldHead } from '../folds/log-folds.ts'
import type { LineRole } from '../lines/line-role.ts'
import { exactTimeText } from '../lines/log-times.ts'
import type { LineTime } from '../lines/log-times.ts'
import { nodeOf } from './piece-node.ts'
import { piecesOf } from './row-text.ts'
import type { Hit } from './row-text.ts'

const foldWords = { section: 'section', trace: 'stack trace' } as const

export type RowContent = { line: StyledLine; hits: readonly Hit[]; role: LineRole | null }
/** A row's look besides its text. */
export type RowLook = {
  selected: boolean
  error: boolean
  /** Lines are left out above it (a filter, a fold). */
  gap: boolean
  /** Set if the line is the head of a fold. */
  fold: FoldHead | null
  /** Grey text after the line; empty for none. */
  note: string
  /** It came through standard error. */
  stderr: boolean
  /** Null if times are not shown. */
  time: LineTime | null
  /** For the first line that is new since the person last looked: the text that says so. */
  since: string
}
export const plainLook: RowLook = {
  selected: false,
  error: false,
  gap: false,
  fold: null,
  note: '',
  stderr: false,
  time: null,
  since: '',
}

/** A key of everything drawn for a look. */
export const lookKey = ({ selected, error, gap, fold, note, stderr, time, since }: RowLook): string =>
  `${selected} ${error} ${gap} ${fold?.of} ${fold?.folded} ${note} ${stderr} ${time?.text} ${time?.at} ${time?.by} ${since}`

/** One recycled row: a gutter and a text made of text nodes only. */
export class LogRow {
  readonly element = document.createElement('div')
  readonly #number = document.createElement('a')
  readonly #numberText = document.createTextNode('')
  readonly #time = document.createElement('span')
  /** The mark's word, for screen readers. */
  readonly #stderr = document.createElement('span')
  readonly #fold = document.createElement('button')
  readonly #text = document.createElement('span')
  readonly #note = document.createElement('span')
  /** The key of the row's current content, so that an unchanged row is left alone. */
  #shown = ''
  #hidden = false

  constructor() {
    this.element.className = css['row'] ?? ''
    this.#number.className = css['number'] ?? ''
    this.#number.tabIndex = -1
    this.#number.draggable = false
    this.#number.append(this.#numberText)
    this.#time.className = css['time'] ?? ''
    this.#stderr.className = 'visually-hidden'
    this.#fold.className = css['fold'] ?? ''
    this.#fold.type = 'button'
    this.#fold.tabIndex = -1
    this.#text.className = css['text'] ?? ''
    this.#note.className = css['note-text'] ?? ''
    this.element.append(this.#fold, this.#number, this.#text, this.#note)
  }

  set hidden(hidden: boolean) {
    if (hidden !== this.#hidden) this.element.hidden = hidden
    this.#hidden = hidden
  }

  place(px: number): void {
    this.element.style.transform = `translateY(${px}px)`
  }

  get height(): number {
    return this.element.offsetHeight
  }

  /** `key` names everything that the drawing depends on; returns false if the row already shows that. */
  draw(key: string, line: number, content: RowContent | null, look: RowLook, theme: Theme): boolean {
    if (key === this.#shown) return false
    this.#shown = key
    const { role = null } = content ?? {}
    this.#look([
      css['row'],
      look.selected && css['selected'],
      look.error && css['error'],
      look.gap && css['gap'],
      look.stderr && css['stderr'],
      look.since !== '' && css['since'],
      content === null && css['missing'],
      role && css[role],
    ])
    this.#numberText.data = String(line + 1)
    this.#number.dataset['line'] = String(line)
    this.#number.href = `#L${line + 1}`
    this.#drawMarks(look)
    this.#drawFold(look.fold, line)
    this.#text.replaceChildren(
      ...(content === null ? [] : piecesOf(content.line, content.hits).map((piece) => nodeOf(piece, line, theme))),
    )
    this.#note.textContent = [look.note, look.since].filter(Boolean).join(' · ')
    return true
  }

  drawEnd(key: string, text: string): boolean {
    if (key === this.#shown) return false
    this.#shown = key
    this.#look([css['row'], css['last']])
    this.#numberText.data = ''
    this.#number.removeAttribute('href')
    this.#drawMarks(plainLook)
    delete this.#number.dataset['line']
    this.#drawFold(null, 0)
    this.#note.textContent = ''
    this.#text.replaceChildren(document.createTextNode(text))
    return true
  }

  forget(): void {
    this.#shown = ''
  }

  /** Setting classes, even the same ones, costs a style computation for the row: set only different ones. */
  #look(classes: readonly (string | false | null | undefined)[]): void {
    const looks = classes.filter(Boolean).join(' ')
    if (looks !== this.element.className) this.element.className = looks
  }

  /** The line's time and stream; beside the number, so that they stay at the left edge, too. */
  #drawMarks({ stderr, time }: RowLook): void {
    show(this.#number, this.#time, time && ` ${time.text}`)
    show(this.#number, this.#stderr, stderr ? ', standard error' : null)
    const exact = time === null || time.at === null ? '' : exactTimeText(time.at, time.by)
    this.#number.title = [exact, stderr && 'standard error'].filter(Boolean).join(' · ')
  }

  #drawFold(fold: RowLook['fold'], line: number): void {
    this.#fold.hidden = fold === null
    // A click on the note of folded lines opens them, too: it is a larger target than the arrow.
    if (fold?.folded === true) this.#note.dataset['fold'] = String(line)
    else delete this.#note.dataset['fold']
    if (fold === null) return
    this.#fold.textContent = fold.folded ? '▸' : '▾'
    this.#fold.setAttribute('aria-label', `${fold.folded ? 'Unfold' : 'Fold'} this ${foldWords[fold.of]}`)
    this.#fold.dataset['fold'] = String(line)
  }
}

/** Shows or removes a part that most rows do not have. */
function show(within: HTMLElement, part: HTMLElement, text: string | null): void {
  if (text === null) {
    if (part.parentNode !== null) part.remove()
    return
  }
  if (part.textContent !== text) part.textContent = text
  if (part.parentNode === null) within.append(part)
}
