import { plainStyle } from '@beadloom/core/sgr.ts'
import type { Style } from '@beadloom/core/sgr.ts'
import type { StyledLine } from './ansi.ts'
import { background, foreground } from './colours.ts'
import type { Theme } from './colours.ts'
import css from './log-view.module.css'
import type { FoldHead } from './log-folds.ts'
import type { LineRole } from './line-role.ts'
import { piecesOf } from './row-text.ts'
import type { Hit, Piece, PieceKind } from './row-text.ts'

const classes: Partial<Record<PieceKind, string | undefined>> = {
  mark: css['mark'],
  hit: css['hit'],
  current: css['current'],
  host: css['host'],
  more: css['more'],
}

const foldWords = { section: 'section', trace: 'stack trace' } as const

export type RowContent = { line: StyledLine; hits: readonly Hit[]; role: LineRole | null }
/** What a row says besides its text. */
export type RowLook = {
  selected: boolean
  error: boolean
  /** Lines are left out above it (a filter, a fold). */
  gap: boolean
  /** It is the head of what can be folded. */
  fold: FoldHead | null
  /** In grey behind the text; empty for none. */
  note: string
  /** The first line since the person looked last. */
  since: string
}
export const plainLook: RowLook = { selected: false, error: false, gap: false, fold: null, note: '', since: '' }

/** Names everything of a look that is drawn. */
export const lookKey = ({ selected, error, gap, fold, note, since }: RowLook): string =>
  `${selected} ${error} ${gap} ${fold?.of} ${fold?.folded} ${note} ${since}`

/** One recycled row: a gutter and a text made of text nodes only. */
export class LogRow {
  readonly element = document.createElement('div')
  readonly #number = document.createElement('a')
  readonly #fold = document.createElement('button')
  readonly #text = document.createElement('span')
  readonly #note = document.createElement('span')
  /** What the row shows now, so that an unchanged one is left alone. */
  #shown = ''
  #hidden = false

  constructor() {
    this.element.className = css['row'] ?? ''
    this.#number.className = css['number'] ?? ''
    this.#number.tabIndex = -1
    this.#number.draggable = false
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

  /** `key` names everything that the drawing depends on; false when that is what is shown already. */
  draw(key: string, line: number, content: RowContent | null, look: RowLook, theme: Theme): boolean {
    if (key === this.#shown) return false
    this.#shown = key
    const { role = null } = content ?? {}
    this.element.className = [
      css['row'],
      look.selected && css['selected'],
      look.error && css['error'],
      look.gap && css['gap'],
      look.since !== '' && css['since'],
      content === null && css['missing'],
      role && css[role],
    ]
      .filter(Boolean)
      .join(' ')
    this.#number.textContent = String(line + 1)
    this.#number.dataset['line'] = String(line)
    this.#number.href = `#L${line + 1}`
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
    this.element.className = `${css['row']} ${css['last']}`
    this.#number.textContent = ''
    this.#number.removeAttribute('href')
    delete this.#number.dataset['line']
    this.#drawFold(null, 0)
    this.#note.textContent = ''
    this.#text.replaceChildren(document.createTextNode(text))
    return true
  }

  forget(): void {
    this.#shown = ''
  }

  #drawFold(fold: RowLook['fold'], line: number): void {
    this.#fold.hidden = fold === null
    // The note of what is folded opens it, too: more to aim at than the arrow.
    if (fold?.folded === true) this.#note.dataset['fold'] = String(line)
    else delete this.#note.dataset['fold']
    if (fold === null) return
    this.#fold.textContent = fold.folded ? '▸' : '▾'
    this.#fold.setAttribute('aria-label', `${fold.folded ? 'Open' : 'Fold'} this ${foldWords[fold.of]}`)
    this.#fold.dataset['fold'] = String(line)
  }
}

function nodeOf(piece: Piece, line: number, theme: Theme): Node {
  const { text, style, kind, link } = piece
  const node = document.createTextNode(text)
  if (style === plainStyle && kind === 'text' && link === null) return node
  const element = document.createElement(link ? 'a' : kind === 'more' ? 'button' : 'span')
  const className = classes[kind]
  if (className !== undefined) element.className = className
  if (element instanceof HTMLAnchorElement && link) {
    element.href = link.href
    element.target = '_blank'
    element.rel = 'noopener noreferrer'
    element.title = link.href
    element.tabIndex = -1
  }
  if (element instanceof HTMLButtonElement) {
    element.type = 'button'
    element.tabIndex = -1
    element.dataset['open'] = String(line)
  }
  paint(element.style, style, theme)
  element.append(node)
  return element
}

/** Through the CSSOM, which the content policy allows; a style attribute in markup it does not. */
function paint(target: CSSStyleDeclaration, style: Style, theme: Theme): void {
  if (style.inverse) {
    // The text takes the log's own colour on what was the text's colour: both have been checked for contrast.
    target.color = 'var(--log)'
    target.backgroundColor = style.fg < 0 ? 'var(--text)' : foreground(style.fg, theme)
  } else {
    if (style.bg >= 0) target.backgroundColor = background(style.bg)
    // On a coloured background the default text is the one that can always be read.
    if (style.fg >= 0 && style.bg < 0) target.color = foreground(style.fg, theme)
    else if (style.bg >= 0) target.color = 'var(--text)'
  }
  if (style.bold) target.fontWeight = '600'
  if (style.dim && style.fg < 0) target.color = 'var(--muted)'
  if (style.italic) target.fontStyle = 'italic'
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ')
  if (lines !== '') target.textDecoration = lines
}
