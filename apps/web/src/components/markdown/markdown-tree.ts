import MarkdownIt, { type Token } from 'markdown-it'

/** A drawable part of a Markdown text; a tag is one of `tags`, an address is http or https. */
export type MarkdownNode =
  | { is: 'text'; text: string }
  | { is: 'code'; text: string; block: boolean }
  | { is: 'link'; href: string; host: string | null; children: MarkdownNode[] }
  | { is: 'tag'; tag: MarkdownTag; start: number | null; children: MarkdownNode[] }

const tags = [
  'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'th', 'td',
  'strong', 'em', 's', 'hr', 'br',
] as const // prettier-ignore
export type MarkdownTag = (typeof tags)[number]

/** Deeper nesting is flattened: nobody reads it, and each level is a frame on a stack. */
const MOST_LEVELS = 24
/** Takes hours to read; drawing more makes the page slow. The rest stays plain text. */
const MOST_NODES = 4_000
/** Rows are filled up to their head's width, so a few bytes could make many cells. */
const MOST_COLUMNS = 40

const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: MOST_LEVELS * 2 })
// Only links with an explicit http(s): a name with a dot in it is a file far more often than a site.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

/**
 * A stranger's Markdown as a bounded tree: CommonMark with tables and strikethrough. HTML stays text, pictures become
 * their alternative text, addresses other than http(s) lose their link.
 */
export const markdownTree = (text: string): MarkdownNode[] => markdownPart(text).nodes

/** `rest`: the text from the first line that is not wholly in the tree; '' if all of it is. */
export function markdownPart(text: string): { nodes: MarkdownNode[]; rest: string } {
  const builder = new Builder()
  let line = 0
  for (const token of markdown.parse(text, {})) {
    line = token.map?.[0] ?? line
    if (token.type !== 'inline') builder.take(token)
    else for (const child of token.children ?? []) builder.take(child)
    if (builder.full) return { nodes: builder.root, rest: linesFrom(text, line) }
  }
  return { nodes: builder.root, rest: '' }
}

const linesFrom = (text: string, line: number): string =>
  text
    .split(/\r\n|[\r\n]/)
    .slice(line)
    .join('\n')

class Builder {
  readonly root: MarkdownNode[] = []
  #open: MarkdownNode[][] = [this.root]
  #cells = 0
  /** For each opening token, whether it made no node: its closing token then closes none. */
  #flat: boolean[] = []
  #left = MOST_NODES

  get full(): boolean {
    return this.#left <= 0
  }

  take(token: Token): void {
    if (token.nesting === 1) return this.#begin(token)
    if (token.nesting === -1) return this.#end()
    switch (token.type) {
      case 'code_inline':
        return this.#add({ is: 'code', text: token.content, block: false })
      case 'fence':
      case 'code_block':
        return this.#add({ is: 'code', text: token.content.replace(/\n$/, ''), block: true })
      case 'softbreak':
        return this.#add({ is: 'text', text: '\n' })
      case 'hardbreak':
        return this.#add({ is: 'tag', tag: 'br', start: null, children: [] })
      case 'hr':
        return this.#add({ is: 'tag', tag: 'hr', start: null, children: [] })
      case 'image':
        return this.#image(token)
      default:
        if (token.content !== '') this.#add({ is: 'text', text: this.#ticked(token.content) })
    }
  }

  #begin(token: Token): void {
    const node = this.#nodeOf(token)
    this.#flat.push(node === null)
    if (node === null) return
    this.#add(node)
    if ('children' in node) this.#open.push(node.children)
  }

  #end(): void {
    if (this.#flat.pop() === false) this.#open.pop()
  }

  #nodeOf(token: Token): MarkdownNode | null {
    if (token.hidden || this.#open.length > MOST_LEVELS) return null
    if (token.type === 'link_open') return linkTo(String(token.attrGet('href') ?? ''))
    const tag = tags.find((one) => one === token.tag)
    if (tag === undefined) return null
    if (tag === 'tr') this.#cells = 0
    if ((tag === 'td' || tag === 'th') && ++this.#cells > MOST_COLUMNS) return null
    const start = tag === 'ol' ? Number(token.attrGet('start') ?? 1) : null
    return { is: 'tag', tag, start, children: [] }
  }

  /** Not loaded: its server would learn who reads this, and when. */
  #image(token: Token): void {
    const source = linkTo(String(token.attrGet('src') ?? ''))
    const text: MarkdownNode = {
      is: 'text',
      text: token.content.trim() === '' ? 'picture' : `picture: ${token.content}`,
    }
    this.#add(source === null ? text : { ...source, children: [text] })
  }

  /** "[x] done" at the beginning of an item is a box with a tick. */
  #ticked(text: string): string {
    const here = this.#open.at(-1)
    if (here?.length !== 0) return text
    const item = this.#open.at(-2)?.at(-1) ?? this.#open.at(-3)?.at(-1)
    if (item?.is !== 'tag' || item.tag !== 'li') return text
    return text.replace(/^\[( |x|X)\] /, (_, mark: string) => (mark === ' ' ? '☐ ' : '☑ '))
  }

  #add(node: MarkdownNode): void {
    if (this.#left-- > 0) this.#open.at(-1)?.push(node)
  }
}

/** Null for all addresses except http(s). The host is as requested: punycode, without a user's name. */
function linkTo(given: string): Extract<MarkdownNode, { is: 'link' }> | null {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return { is: 'link', href: url.href, host: url.host, children: [] }
}

/** The words of nodes, for comparisons; not for drawing. */
export const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => ('children' in node ? textOf(node.children) : node.text)).join('')
