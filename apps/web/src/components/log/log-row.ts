import { plainStyle } from './ansi.ts'
import type { Style } from './ansi.ts'
import { background, foreground } from './colours.ts'
import type { Theme } from './colours.ts'
import css from './log-view.module.css'
import type { LineRole } from './line-role.ts'
import { piecesOf } from './row-text.ts'
import type { Hit, Piece } from './row-text.ts'
import type { StyledLine } from './ansi.ts'

const classes: Partial<Record<Piece['kind'], string | undefined>> = {
  mark: css['mark'],
  hit: css['hit'],
  current: css['current'],
  more: css['more'],
}

export type RowContent = { line: StyledLine; hits: readonly Hit[]; role: LineRole | null }

/** One recycled row: a gutter number and a text made of text nodes only. */
export class LogRow {
  readonly element = document.createElement('div')
  readonly #number = document.createElement('a')
  readonly #text = document.createElement('span')
  /** What the row shows now, so that an unchanged one is left alone. */
  #shown = ''

  constructor() {
    this.element.className = css['row'] ?? ''
    this.#number.className = css['number'] ?? ''
    this.#number.tabIndex = -1
    this.#text.className = css['text'] ?? ''
    this.element.append(this.#number, this.#text)
  }

  place(px: number): void {
    this.element.style.transform = `translateY(${px}px)`
  }

  get height(): number {
    return this.element.offsetHeight
  }

  /** `key` names everything that the drawing depends on; false when that is what is shown already. */
  draw(key: string, line: number, content: RowContent | null, marked: boolean, theme: Theme): boolean {
    if (key === this.#shown) return false
    this.#shown = key
    const { role = null } = content ?? {}
    this.element.className = [
      css['row'],
      marked && css['marked'],
      content === null && css['missing'],
      role && css[role],
    ]
      .filter(Boolean)
      .join(' ')
    this.#number.textContent = String(line + 1)
    this.#number.dataset['line'] = String(line)
    this.#number.href = `#L${line + 1}`
    this.#text.replaceChildren(
      ...(content === null ? [] : piecesOf(content.line, content.hits).map((piece) => nodeOf(piece, theme))),
    )
    return true
  }

  drawEnd(key: string, text: string): boolean {
    if (key === this.#shown) return false
    this.#shown = key
    this.element.className = `${css['row']} ${css['last']}`
    this.#number.textContent = ''
    this.#number.removeAttribute('href')
    delete this.#number.dataset['line']
    this.#text.replaceChildren(document.createTextNode(text))
    return true
  }

  forget(): void {
    this.#shown = ''
  }
}

function nodeOf({ text, style, kind }: Piece, theme: Theme): Node {
  const node = document.createTextNode(text)
  if (style === plainStyle && kind === 'text') return node
  const span = document.createElement('span')
  const className = classes[kind]
  if (className !== undefined) span.className = className
  paint(span.style, style, theme)
  span.append(node)
  return span
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
  }
  if (style.bold) target.fontWeight = '600'
  if (style.dim && style.fg < 0) target.color = 'var(--muted)'
  if (style.italic) target.fontStyle = 'italic'
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ')
  if (lines !== '') target.textDecoration = lines
}
