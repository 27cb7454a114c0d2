/** An import, re-export, `import()` or `require()`. `typeOnly`: nothing of it is left when the program runs. */
export type Import = { line: number; specifier: string; typeOnly: boolean }

/** A place in the code that is no comment and no text. */
export type Place = { line: number; text: string }

const STATEMENT =
  /(?<![\w$.])(?:import|export)(?<type>\s+type(?!\s*,|\s+from\b))?\b[^'"`;()=]*?\bfrom\s*(?<quote>['"])(?<from>\d+)\k<quote>/g
const SIDE_EFFECT = /(?<![\w$.])import\s*['"](?<bare>\d+)['"]/g
const CALL = /(?<![\w$.])(?:import|require)\s*\(\s*['"`](?<call>\d+)['"`]/g

/**
 * Everything that a file imports, with the line where it is named. Reads the text, not a syntax tree: it knows comments,
 * strings, templates and regular expressions, which is all that keeps an import from being one.
 */
export function importsOf(source: string): Import[] {
  const { code, strings } = withoutTexts(source)
  return [STATEMENT, SIDE_EFFECT, CALL]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => {
      const groups = match.groups ?? {}
      const number = Number(groups['from'] ?? groups['bare'] ?? groups['call'])
      const at = (match.index ?? 0) + match[0].length
      return { line: lineAt(code, at), specifier: strings[number] ?? '', typeOnly: groups['type'] !== undefined }
    })
    .sort((a, b) => a.line - b.line)
}

/** The places of a pattern in code, not in comments or texts. */
export function placesOf(source: string, pattern: RegExp): Place[] {
  const { code } = withoutTexts(source)
  return [...code.matchAll(new RegExp(pattern, 'g'))].map((match) => ({
    line: lineAt(code, match.index),
    text: match[0],
  }))
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Comments are gone, and each string is the number of its text in `strings`; line breaks stay where they were. */
export function withoutTexts(source: string): { code: string; strings: string[] } {
  const strings: string[] = []
  let code = ''
  let at = 0
  /** Depths of braces at which a template's `${` was opened: its `}` continues the template. */
  const templates: number[] = []
  let depth = 0

  const skipTo = (end: number): void => {
    code += source.slice(at, end).replace(/[^\n]/g, '')
    at = end
  }
  const template = (): void => {
    const start = at
    while (at < source.length && source[at] !== '`' && source.slice(at, at + 2) !== '${')
      at += source[at] === '\\' ? 2 : 1
    const text = source.slice(start, at)
    code += `${strings.push(text) - 1}${text.replace(/[^\n]/g, '')}`
    if (source[at] === '`') {
      code += '`'
      at += 1
      return
    }
    code += '${'
    at += 2
    templates.push(depth++)
  }

  while (at < source.length) {
    const char = source[at] ?? ''
    const two = source.slice(at, at + 2)
    if (two === '//') skipTo(endOf(source, '\n', at))
    else if (two === '/*') skipTo(Math.min(source.length, endOf(source, '*/', at + 2) + 2))
    else if (char === '"' || char === "'") {
      const end = endOfString(source, at)
      code += `${char}${strings.push(source.slice(at + 1, end)) - 1}${source[end] === char ? char : ''}`
      at = source[end] === char ? end + 1 : end
    } else if (char === '`') {
      code += char
      at += 1
      template()
    } else if (char === '}' && templates.at(-1) === depth - 1) {
      depth = templates.pop() ?? 0
      code += char
      at += 1
      template()
    } else if (char === '/' && startsRegex(code)) {
      const end = endOfRegex(source, at)
      code += end === null ? char : '/0/'
      at = end ?? at + 1
    } else {
      if (char === '{') depth += 1
      if (char === '}') depth -= 1
      code += char
      at += 1
    }
  }
  return { code, strings }
}

function endOf(source: string, what: string, from: number): number {
  const end = source.indexOf(what, from)
  return end < 0 ? source.length : end
}

/** At the closing quote, or at the line's end: there an apostrophe was only text of the page (JSX). */
function endOfString(source: string, start: number): number {
  const quote = source[start]
  let at = start + 1
  while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1
  return Math.min(at, source.length)
}

/** A slash divides after a value and begins a regular expression after anything else; `</` closes a tag. */
function startsRegex(before: string): boolean {
  const text = before.trimEnd()
  if (/\b(?:return|typeof|case|of|in|void|throw|await|yield)$/.test(text)) return true
  return text === '' || /[(,=:[!&|?{};+*%~^>-]$/.test(text)
}

function endOfRegex(source: string, start: number): number | null {
  let inClass = false
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at]
    if (char === '\n') return null
    if (char === '\\') at += 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1
  }
  return null
}
