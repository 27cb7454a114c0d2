import { isObject } from '../../text/json-object.ts'

/* The commands that the name of a script or of a target stands for. */

const MOST_LINES = 5000
const MOST_TARGETS = 500

/** The command of a script of package.json, with those that npm runs around it. */
export function scriptLines(manifest: string, name: string): string[] {
  try {
    const value: unknown = JSON.parse(manifest)
    const scripts = isObject(value) && isObject(value['scripts']) ? value['scripts'] : {}
    return [`pre${name}`, name, `post${name}`].flatMap((one) => {
      const text = Object.hasOwn(scripts, one) ? scripts[one] : undefined
      return typeof text === 'string' ? [text] : []
    })
  } catch {
    return []
  }
}

export type Makefile = {
  targets: Map<string, { needs: string[]; lines: string[] }>
  first: string | null
  isLax: boolean
}

const RULE = /^([\w./%$(){}-]{1,80}(?: [\w./%$(){}-]{1,80}){0,20})\s{0,5}::?(?!=)\s{0,5}([^=#;]{0,2000})(?:;(.*))?$/

/** `isLax`: failures are ignored as a whole, or another program takes the place of the shell. */
export function makefileOf(text: string): Makefile {
  const targets: Makefile['targets'] = new Map()
  let first: string | null = null
  let open: string[] = []
  const joined = text.replace(/\\\n\s*/g, ' ')
  for (const line of joined.split('\n', MOST_LINES)) {
    if (line.startsWith('\t')) {
      const [marks = ''] = /^[@+-]*/.exec(line.trim()) ?? []
      const words = line.trim().slice(marks.length).replaceAll('$$', '$')
      // Its failure is ignored.
      if (!marks.includes('-') && !words.startsWith('#')) for (const name of open) targets.get(name)?.lines.push(words)
      continue
    }
    const rule = RULE.exec(line)
    if (rule === null) {
      if (line.trim() !== '' && !line.startsWith('#')) open = []
      continue
    }
    open = (rule[1] ?? '').split(' ').filter((name) => !name.startsWith('.') && targets.size < MOST_TARGETS)
    for (const name of open) {
      first ??= name
      const known = targets.get(name) ?? { needs: [], lines: [] }
      known.needs.push(...(rule[2] ?? '').split(/\s+/).filter((need) => /^[\w./-]+$/.test(need)))
      if (rule[3]?.trim()) known.lines.push(rule[3].trim().replaceAll('$$', '$'))
      targets.set(name, known)
    }
  }
  const isLax =
    /^\.IGNORE\s*:|^SHELL\s*[:?]?=\s*\S*\b(?:true|echo|:)\s*$|^MAKEFLAGS\s*[:+?]?=\s*.*-\w*[in]\b|^\.SHELLFLAGS\s*[:?]?=\s*(?!.*c)/m.test(
      joined,
    )
  return { targets, first, isLax }
}
