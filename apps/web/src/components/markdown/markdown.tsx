import { Fragment, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import css from './markdown.module.css'
import { markdownPart, textOf, type MarkdownNode } from './markdown-tree.ts'
import { shown } from '../../ui/text/hostile-text.ts'

/** Limit for Markdown in characters: a long text can keep its parser busy for long. The rest stays plain text. */
const MOST_CHARACTERS = 20_000

/** A stranger's Markdown, readable, with nothing in it that could act or call out. */
export function Markdown({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const [head, tail] = useMemo(() => cut(text), [text])
  const part = useMemo(() => readable(head), [head])
  const nodes = part?.nodes ?? null
  const rest = `${part?.rest ?? ''}${tail}`
  return (
    <div className={css['text']}>
      {nodes === null ? <p className={css['plain']}>{shown(head)}</p> : drawn(nodes)}
      {rest !== '' && whole && <p className={css['plain']}>{shown(rest)}</p>}
      {rest !== '' && !whole && (
        <button type="button" className={css['more']} onClick={() => setWhole(true)}>
          {rest.length > 1000
            ? `Show the other ${Math.ceil(rest.length / 1000)},000 characters as plain text`
            : 'Show the rest as plain text'}
        </button>
      )}
    </div>
  )
}

/** Cuts at the end of a line if there is one. */
function cut(text: string): [string, string] {
  if (text.length <= MOST_CHARACTERS) return [text, '']
  const line = text.lastIndexOf('\n', MOST_CHARACTERS)
  const at = line > MOST_CHARACTERS / 2 ? line : MOST_CHARACTERS
  return [text.slice(0, at).toWellFormed(), text.slice(at).toWellFormed()]
}

/** Null if the parser gives up: then the text is shown as written. */
function readable(text: string): ReturnType<typeof markdownPart> | null {
  try {
    return markdownPart(text)
  } catch {
    return null
  }
}

const drawn = (nodes: readonly MarkdownNode[]): ReactNode =>
  nodes.map((node, index) => <Fragment key={index}>{drawnOne(node)}</Fragment>)

function drawnOne(node: MarkdownNode): ReactNode {
  switch (node.is) {
    case 'text':
      return shown(node.text)
    case 'code':
      return node.block ? (
        <pre tabIndex={0} role="group" aria-label="Code">
          {shown(node.text)}
        </pre>
      ) : (
        <code>{shown(node.text)}</code>
      )
    case 'link':
      return <Away link={node} />
    case 'tag':
      return <Tag node={node} />
  }
}

/** A link shows its host before anybody follows it, whatever its words say. */
function Away({ link: { href, host, children } }: { link: Extract<MarkdownNode, { is: 'link' }> }) {
  const words = textOf(children).trim()
  const plain = words === href || `${words}/` === href
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {words === '' ? shown(href) : drawn(children)}
      {!plain && host !== null && words !== '' && <span className={css['host']}> ({shown(host)})</span>}
    </a>
  )
}

function Tag({ node: { tag, start, children } }: { node: Extract<MarkdownNode, { is: 'tag' }> }) {
  switch (tag) {
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      // The page has headings of its own; these rank below them, whatever level they ask for.
      return <p className={css['heading']}>{drawn(children)}</p>
    case 'ol':
      return <ol start={start ?? 1}>{drawn(children)}</ol>
    case 'table':
      return (
        <div className={css['table']} tabIndex={0} role="group" aria-label="Table">
          <table>{drawn(children)}</table>
        </div>
      )
    default: {
      const Element = tag
      return <Element>{drawn(children)}</Element>
    }
  }
}
