import MarkdownIt from 'markdown-it'

/*
 * The parts of a plan that are about some files: a section with its heading, where it names one of them. Headings inside of
 * a code block, a quotation or a list are none.
 */

const markdown = new MarkdownIt('commonmark')
// Where blocks begin is all that is wanted; words may be made to take long.
markdown.core.ruler.enableOnly(['normalize', 'block'])

/** The sections that name one of these paths, or a folder that one is in; '' where none does. */
export function relevantSections(plan: string, files: readonly string[]): string {
  const names = files.map((path) => path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')).filter((path) => path !== '')
  return sectionsOf(plan)
    .filter((text) => names.some((name) => mentions(text, name)))
    .map((text) => text.trim())
    .join('\n\n')
}

/** As a whole path: `src/user.ts` is not named by `src/user.tsx` or `lib/src/user.ts`. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\w/.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true
  }
  return false
}

/** Each heading with what is below it, up to the next one. */
function sectionsOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/)
  const starts = markdown
    .parse(text, {})
    .filter(({ type, level }) => type === 'heading_open' && level === 0)
    .map(({ map }) => map?.[0] ?? 0)
  return [0, ...starts].map((from, at) => lines.slice(from, starts[at] ?? lines.length).join('\n'))
}
