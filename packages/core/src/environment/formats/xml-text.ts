import { lineAt } from './lines.ts'

/** The text of an element, and the line on which it begins. */
export type Element = { text: string; line: number }

/** Build files have a few of each; more are made up. */
const MOST_ELEMENTS = 50

/**
 * The texts of all elements of this name, in order, without those that have elements in them. Comments do not count.
 *
 * @param name from our own code: it becomes part of a pattern
 */
export function elementsOf(xml: string, name: string): Element[] {
  const plain = withoutComments(xml)
  const pattern = new RegExp(`<${name.replaceAll('.', '\\.')}(?:\\s[^<>]{0,200})?>([^<>]{1,200})</`, 'g')
  const found: Element[] = []
  for (const match of plain.matchAll(pattern)) {
    const text = (match[1] ?? '').trim()
    if (text !== '') found.push({ text, line: lineAt(plain, match.index) })
    if (found.length === MOST_ELEMENTS) break
  }
  return found
}

/** Comments become blank lines, so that lines stay. An unclosed comment reaches to the end. */
function withoutComments(xml: string): string {
  let plain = ''
  let from = 0
  for (let at = xml.indexOf('<!--'); at !== -1; at = xml.indexOf('<!--', from)) {
    const close = xml.indexOf('-->', at + 4)
    const end = close === -1 ? xml.length : close + 3
    plain += xml.slice(from, at) + xml.slice(at, end).replace(/[^\n]/g, ' ')
    from = end
  }
  return plain + xml.slice(from)
}
