/*
 * Rust's tests inside the file of their code, in modules with `#[cfg(test)]`: builds such a file from the changed code
 * and the former tests.
 */

/** The start and end of a module of tests in a text, with its attributes. */
type Block = readonly [from: number, to: number]

const MODULE =
  /#\[cfg\(test\)\](?:\s|\/\/[^\n]{0,300}\n|#\[[^\]\n]{0,300}\]){0,20}(?:pub(?:\([\w\s]{1,30}\))?\s{1,10})?mod\s{1,10}\w{1,100}\s{0,10}\{/y

/**
 * @param now the file with the change, `before` without it
 * @returns null: it has no changed tests, or none that can be told apart from the code
 */
export function withFormerTests(now: string, before: string): string | null {
  const [present, former] = [modulesOfTests(now), modulesOfTests(before)]
  if (present === null || former === null || former.length === 0) return null
  const tests = (text: string, blocks: readonly Block[]) =>
    blocks.map(([from, to]) => text.slice(from, to)).join('\n\n')
  const wanted = tests(before, former)
  if (tests(now, present) === wanted) return null
  let code = ''
  let at = 0
  for (const [from, to] of present) {
    code += now.slice(at, from)
    at = to
  }
  return `${code}${now.slice(at)}\n${wanted}\n`
}

/** Modules of tests outside of other braces. Null: a string, a comment or a brace has no end. Linear in the text. */
function modulesOfTests(text: string): Block[] | null {
  const blocks: Block[] = []
  let depth = 0
  let open: number | null = null
  for (let at = 0; at < text.length;) {
    const past = pastWords(text, at)
    if (past === null) return null
    if (past > at) {
      at = past
      continue
    }
    const sign = text[at]
    if (sign === '#' && depth === 0) {
      MODULE.lastIndex = at
      const found = MODULE.exec(text)
      if (found) {
        open = at
        depth = 1
        at += found[0].length
        continue
      }
    }
    if (sign === '{') depth++
    if (sign === '}' && --depth === 0 && open !== null) {
      blocks.push([open, at + 1])
      open = null
    }
    if (depth < 0) return null
    at++
  }
  return depth === 0 ? blocks : null
}

/** The place after the comment, string or character that begins here, or the same place. Null: it has no end. */
function pastWords(text: string, at: number): number | null {
  const [sign, next] = [text[at], text[at + 1]]
  if (sign === '/' && next === '/') return endOf(text, '\n', at)
  if (sign === '/' && next === '*') return pastComment(text, at)
  if (sign === '"') return pastString(text, at + 1)
  if (sign === 'r' && (next === '"' || next === '#') && !isInName(text, at)) return pastRaw(text, at)
  if (sign !== "'") return at
  // Skips lifetimes: `'a`.
  if (next === '\\') return pastCharacter(text, at)
  const width = (text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1
  return text[at + 1 + width] === "'" ? at + 2 + width : at
}

/** Whether the `r` here is part of a name, unlike in `br"…"` and `cr"…"`. */
function isInName(text: string, at: number): boolean {
  const isOfBytes = /[bc]/.test(text[at - 1] ?? ' ')
  return /\w/.test(text[at - (isOfBytes ? 2 : 1)] ?? ' ')
}

const endOf = (text: string, sign: string, from: number): number => {
  const end = text.indexOf(sign, from)
  return end < 0 ? text.length : end
}

/** Comments nest. */
function pastComment(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '/' && text[at + 1] === '*') depth++
    else if (text[at] === '*' && text[at + 1] === '/') depth--
    else continue
    at++
    if (depth === 0) return at + 1
  }
  return null
}

function pastString(text: string, from: number): number | null {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return null
}

const MOST_SIGNS = 255

/** `r#"…"#`, or a name like `r#match`. */
function pastRaw(text: string, from: number): number | null {
  let signs = 0
  while (text[from + 1 + signs] === '#' && signs <= MOST_SIGNS) signs++
  if (text[from + 1 + signs] !== '"') return from + 1 + signs
  const end = text.indexOf(`"${'#'.repeat(signs)}`, from + 2 + signs)
  return end < 0 ? null : end + 1 + signs
}

function pastCharacter(text: string, from: number): number | null {
  const end = text.indexOf("'", from + 3)
  // `'\u{10ffff}'` is the longest.
  return end < 0 || end - from > 12 ? null : end + 1
}
