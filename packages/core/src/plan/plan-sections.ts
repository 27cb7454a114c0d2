import MarkdownIt from 'markdown-it'
import { withStars } from './touched-files.ts'

/*
 * The parts of a plan about some files: the sections, with headings, that name one of them. Headings inside of a code
 * block, a quotation or a list do not count.
 */

const markdown = new MarkdownIt('commonmark')
// Only the beginnings of blocks are needed, and a hostile text could make inline parsing slow.
markdown.core.ruler.enableOnly(['normalize', 'block'])

/**
 * The sections that name one of these paths, one of its folders, or a path that a pattern matches; each with everything
 * below its own headings. '' if there is none.
 */
export function relevantSections(plan: string, files: readonly string[]): string {
  const names = files
    .map((path) => withStars(path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')))
    .filter((path) => path !== '')
  const sections = sectionsOf(plan)
  const isAbout = sections.map(({ text }) => isAboutOne(text, names))
  return sections
    .filter(({ parents }, at) => isAbout[at] === true || parents.some((parent) => isAbout[parent] === true))
    .map(({ text }) => text.trim())
    .join('\n\n')
}

function isAboutOne(text: string, names: readonly string[]): boolean {
  if (names.some((name) => mentions(text, name))) return true
  const paths = pathsIn(text)
  return names.some((name) => paths.some((path) => isSame(path, name)))
}

/** Whether the text names this whole path: `src/user.tsx` and `lib/src/user.ts` do not name `src/user.ts`. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\w/.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true
  }
  return false
}

const LONGEST_PATH = 300

/** Words of a section that look like paths. A single word without "/" may be any word. */
const pathsIn = (text: string): string[] =>
  [...new Set(text.match(/[\w.@*/-]+/g) ?? [])]
    .filter((word) => word.includes('/') && word.length <= LONGEST_PATH)
    .map((word) => word.replace(/^(?:\.\/)+/, '').replace(/\.+$/, ''))

/** A path in the plan's text and one that a subtask touches; either may be a pattern, and the first one a folder. */
function isSame(path: string, name: string): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`
  return (
    name.startsWith(folder) ||
    (name.includes('*') && matches(path, name)) ||
    (path.includes('*') && matches(name, path))
  )
}

/**
 * `*` matches anything, even "/": a section too many does no harm. `**` and its "/" match any folders, or none. The
 * time is bounded by the product of both lengths, whatever the texts are.
 */
function matches(path: string, of: string): boolean {
  const pattern = of.replaceAll('**/', '*')
  let [at, next, star, from] = [0, 0, -1, 0]
  while (at < path.length) {
    if (pattern[next] === '*') [star, from, next] = [next, at, next + 1]
    else if (pattern[next] === path[at]) [at, next] = [at + 1, next + 1]
    else if (star >= 0) [from, at, next] = [from + 1, from + 1, star + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(next))
}

/**
 * `parents`: the sections that this one is below, by their places. The plan's title and the text before it are no
 * parents.
 */
type Section = { text: string; parents: readonly number[] }

/** Each heading with the text below it, up to the next one. */
function sectionsOf(text: string): Section[] {
  const lines = text.split(/\r\n?|\n/)
  const headings = markdown
    .parse(text, {})
    .filter(({ type, level }) => type === 'heading_open' && level === 0)
    .map(({ map, tag }) => ({ from: map?.[0] ?? 0, depth: Number(tag.slice(1)) }))
  const open: { at: number; depth: number }[] = []
  const isTitled = headings.length > 1 && headings.slice(1).every(({ depth }) => depth > headings[0]!.depth)
  return [{ from: 0, depth: 0 }, ...headings].map(({ from, depth }, at) => {
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop()
    const parents = open.map((one) => one.at)
    if (at > (isTitled ? 1 : 0)) open.push({ at, depth })
    return { text: lines.slice(from, headings[at]?.from ?? lines.length).join('\n'), parents }
  })
}
