import { isNode, LineCounter, parseDocument } from 'yaml'

/** A compose file of a large product has 40 KB; one that a machine wrote may have more, and nobody needs it. */
const MOST_YAML = 256 * 1024
/** Workflows are about ten deep. The parser calls itself for each level. */
const MOST_DEPTH = 60
const MOST_ALIASES = 200

/** `line`: the line at a path of keys and positions; null if nothing is there, or behind an alias. */
export type Yaml = { value: unknown; line: (path: readonly (string | number)[]) => number | null }

/** The first document of a text. Null: not YAML, or YAML made to be expensive. */
export function readYaml(text: string): Yaml | null {
  if (text.length > MOST_YAML || isDeep(text) || hasManyAliases(text)) return null
  const lines = new LineCounter()
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      // The tool itself reports two documents or a wrong tag; we use what can be read.
      logLevel: 'silent',
      prettyErrors: false,
      merge: true,
      // The parser compares each key with all before it: a thousand keys would be a million comparisons.
      uniqueKeys: false,
    })
    if (document.errors.some(({ code }) => code !== 'MULTIPLE_DOCS')) return null
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    return {
      value,
      line: (path) => {
        const node: unknown = document.getIn(path, true)
        return isNode(node) && node.range ? lines.linePos(node.range[0]).line : null
      },
    }
  } catch {
    return null // exploding aliases, or undetected depth
  }
}

/**
 * Counted before anything is built: for each alias, the parser searches everything before it. Text that only looks like
 * an alias, in a script or a comment, counts too.
 */
function hasManyAliases(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(/(?<=^|[\s,[{:-])\*(?=[^\s*/])/g)) if (++count > MOST_ALIASES) return true
  return false
}

/** Brackets in texts count, too, because nothing is parsed; no real file is affected. */
function isDeep(text: string): boolean {
  if (/(?:[-?:][ \t]{1,8}){60}/.test(text)) return true
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\n') continue
    if (char === '[' || char === '{') depth += 1
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1)
    if (depth > MOST_DEPTH) return true
  }
  return false
}
