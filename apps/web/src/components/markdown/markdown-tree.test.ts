import { describe, expect, test } from 'vitest'
import { markdownPart, markdownTree, textOf, type MarkdownNode } from './markdown-tree.ts'

const all = (nodes: readonly MarkdownNode[]): MarkdownNode[] =>
  nodes.flatMap((node) => [node, ...('children' in node ? all(node.children) : [])])
const tagsOf = (text: string) => all(markdownTree(text)).flatMap((node) => (node.is === 'tag' ? [node.tag] : []))
const linksOf = (text: string) => all(markdownTree(text)).flatMap((node) => (node.is === 'link' ? [node.href] : []))
function depth(nodes: readonly MarkdownNode[]): number {
  return 1 + Math.max(0, ...nodes.map((node) => ('children' in node ? depth(node.children) : 0)))
}

describe('a description in Markdown', () => {
  test('has its headings, lists, boxes, tables and code', () => {
    const text =
      '# Head\n\nA *b* **c** ~~d~~ `e`\n\n1. one\n2. two\n\n- [ ] open\n- [x] done\n\n|a|b|\n|-|-|\n|1|2|\n\n```\nx < y\n```'
    expect(tagsOf(text)).toEqual('h1 p em strong s ol li li ul li li table thead tr th th tbody tr td td'.split(' '))
    expect(textOf(markdownTree(text))).toContain('☐ open☑ done')
    expect(markdownTree(text).at(-1)).toEqual({ is: 'code', text: 'x < y', block: true })
  })

  test('may link to http and https alone, and the named host is the one requested', () => {
    expect(linksOf('[a](https://x.dev/p) <http://y.dev> https://z.dev/q')).toEqual([
      'https://x.dev/p',
      'http://y.dev/',
      'https://z.dev/q',
    ])
    const hostile = [
      '[a](javascript:alert(1))',
      '[a](JaVaScRiPt&#58;alert(1))',
      '[a](data:text/html,x)',
      '[a](vbscript:x)',
      '[a](java\tscript:alert(1))',
      '[a](&#x6a;avascript:alert(1))',
      '[a](\u0001javascript:alert(1))',
      '[a](blob:https://x.dev/1)',
      '![a](javascript:alert(1))',
      '[a](<javascript:alert(1)>)',
      '[a](file:///etc/passwd)',
      '[a](//evil.dev)',
      '[a](/api/projects)',
      '<javascript:alert(1)>',
      '[a][b]\n\n[b]: javascript:alert(1)',
    ]
    for (const text of hostile) expect(linksOf(text), text).toEqual([])
    const [disguised] = all(markdownTree('[github.com](https://github.com@evil.dev/x)')).filter(
      ({ is }) => is === 'link',
    )
    expect(disguised).toMatchObject({ host: 'evil.dev' })
  })

  test('has no HTML: it stays plain text', () => {
    for (const text of ['<script>alert(1)</script>', 'a <img src=x onerror=alert(1)> b', '<div onclick="x">y</div>']) {
      expect(textOf(markdownTree(text)), text).toBe(text)
      expect(tagsOf(text)).toEqual(['p'])
    }
  })

  test('loads no picture: its words are there, and a link to it', () => {
    expect(markdownTree('![A chart](https://x.dev/a.png)')).toMatchObject([
      { tag: 'p', children: [{ is: 'link', href: 'https://x.dev/a.png', children: [{ text: 'picture: A chart' }] }] },
    ])
    expect(textOf(markdownTree('![](data:image/png;base64,AAAA)'))).toBe('picture')
  })

  test.each([
    ['quotes', '>'.repeat(30_000)],
    ['lists on one line', '- '.repeat(15_000)],
    ['lists below each other', Array.from({ length: 240 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n')],
    ['emphasis', `${'*a **a '.repeat(2_000)}b${'** a*'.repeat(2_000)}`],
    ['brackets', '['.repeat(30_000)],
    ['pictures in pictures', '![['.repeat(10_000)],
    ['links in links', `${'[a]('.repeat(7_000)}`],
    ['angle brackets', '<'.repeat(30_000)],
    ['cells', `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${'|\n'.repeat(5_000)}`],
    ['quotes in quotes', Array.from({ length: 300 }, () => `${'>'.repeat(99)} a`).join('\n')],
    ['ten thousand columns', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}`],
    ['a million items, as far as they are read', '- \n'.repeat(10_000)],
    ['addresses', 'http://a.b '.repeat(2_700)],
    ['lines below a quote', `${'>'.repeat(10_000)}a\n${'b\n'.repeat(9_000)}`],
    ['references', '[a]: http://b\n' + '[a]'.repeat(9_000)],
    ['emphasis across emphasis', 'a**b_'.repeat(6_000)],
    ['open attributes', '<a b="'.repeat(5_000)],
    ['backticks', Array.from({ length: 240 }, (_, at) => `e${'`'.repeat(at)}`).join('')],
  ])('stays small however it is nested: %s', (_, text) => {
    const nodes = markdownTree(text)
    expect(depth(nodes)).toBeLessThan(30)
    expect(all(nodes).length).toBeLessThanOrEqual(4_000)
  })

  test('loses nothing if there is too much to draw: the rest is text', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { nodes, rest } = markdownPart(Array.from({ length: 5_000 }, (_, at) => `- item ${at}.`).join(end))
      for (const at of [0, 1_000, 4_999]) expect(textOf(nodes) + rest).toContain(`item ${at}.`)
      expect(rest.startsWith('- item ')).toBe(true)
      expect(textOf(nodes)).not.toContain('item 4999.')
    }
    expect(markdownPart('- a\n- b').rest).toBe('')
  })
})
