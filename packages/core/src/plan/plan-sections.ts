/*
 * The parts of a plan that are about some files: a section with its heading, where it names one of them. Headings inside of
 * a code block are none.
 */

const HEADING = /^(#{1,6})[ \t]+\S/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

type Section = { level: number; text: string }

/** The sections that name one of these paths, or a folder that one is in; '' where none does. */
export function relevantSections(markdown: string, files: readonly string[]): string {
  const names = files.map((path) => path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')).filter((path) => path !== '')
  return sectionsOf(markdown)
    .filter(({ text }) => names.some((name) => mentions(text, name)))
    .map(({ text }) => text.trim())
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
function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ level: 0, text: '' }]
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const [, mark] = FENCE.exec(line) ?? []
    if (mark !== undefined && fence === null) fence = mark
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null
    const [, level] = fence === null && mark === undefined ? (HEADING.exec(line) ?? []) : []
    if (level !== undefined) sections.push({ level: level.length, text: '' })
    const last = sections.at(-1)!
    last.text += `${line}\n`
  }
  return sections
}
