import { plainStyle } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'
import { background, foreground } from '../lines/colours.ts'
import type { Theme } from '../lines/colours.ts'
import css from './log-view.module.css'
import type { Piece, PieceKind } from './row-text.ts'

const classes: Partial<Record<PieceKind, string | undefined>> = {
  mark: css['mark'],
  hit: css['hit'],
  current: css['current'],
  host: css['host'],
  more: css['more'],
}

/** A text node, or an element around one: nothing in a log becomes markup. */
export function nodeOf(piece: Piece, line: number, theme: Theme): Node {
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

/** Sets styles through the CSSOM, which the content policy allows; it forbids style attributes in markup. */
function paint(target: CSSStyleDeclaration, style: Style, theme: Theme): void {
  if (style.inverse) {
    // Inverted text gets the log's own background colour, on the former text colour: the pair is known to be readable.
    target.color = 'var(--log)'
    target.backgroundColor = style.fg < 0 ? 'var(--text)' : foreground(style.fg, theme)
  } else {
    if (style.bg >= 0) target.backgroundColor = background(style.bg)
    // On a coloured background, only the default text colour is always readable.
    if (style.fg >= 0 && style.bg < 0) target.color = foreground(style.fg, theme)
    else if (style.bg >= 0) target.color = 'var(--text)'
  }
  if (style.bold) target.fontWeight = '600'
  if (style.dim && style.fg < 0) target.color = 'var(--muted)'
  if (style.italic) target.fontStyle = 'italic'
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ')
  if (lines !== '') target.textDecoration = lines
}
