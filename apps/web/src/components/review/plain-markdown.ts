/** A drawable piece of a text: a code block, or a paragraph with inline code. */
export type TextBlock = { code: string } | { parts: TextPart[] }
export type TextPart = { text: string; code: boolean }

/**
 * As much of Markdown as a reviewer's text needs: fenced blocks, and code between backticks. Everything else stays
 * plain text, above all HTML, links and pictures.
 */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let plain: string[] = []
  const flush = () => {
    const joined = plain.join('\n').trim()
    plain = []
    for (const paragraph of joined.split(/\n{2,}/)) if (paragraph !== '') blocks.push({ parts: parts(paragraph) })
  }
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) {
      plain.push(line)
      continue
    }
    flush()
    const code: string[] = []
    while (++at < lines.length && !(lines[at] ?? '').trim().startsWith(fence)) code.push(lines[at] ?? '')
    blocks.push({ code: code.join('\n') })
  }
  flush()
  return blocks
}

function parts(paragraph: string): TextPart[] {
  return paragraph
    .split(/(`[^`\n]+`)/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.length > 2 && piece.startsWith('`') && piece.endsWith('`')
        ? { text: piece.slice(1, -1), code: true }
        : { text: piece, code: false },
    )
}
