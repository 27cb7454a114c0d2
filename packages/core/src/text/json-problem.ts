import { oneLine } from './one-line.ts'

/* The problem of a text that should be JSON, with its line: engines have different messages, mostly without a line. */

type Wanted = 'a value' | 'a key in double quotes' | '":"' | '"," or the end of it' | 'nothing more'

const TOKEN =
  /[{}[\]:,]|"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
const SPACE = /[ \t\n\r]*/y

/** Null: it is JSON. */
export function jsonProblem(text: string): string | null {
  const open: ('{' | '[')[] = []
  let wanted: Wanted = 'a value'
  let before = ''
  for (let at = 0; ;) {
    at = past(SPACE, text, at) ?? at
    if (at === text.length)
      return wanted === 'nothing more' ? null : `${lineAt(text, at)}: it ends where ${wanted} is missing`
    const end = past(TOKEN, text, at)
    const token = end === null ? '' : text.slice(at, end)
    const next = after(token, before, wanted, open)
    if (end === null || next === null) return `${lineAt(text, at)}: ${wrongWords(text, at, before, wanted)}`
    wanted = next
    before = token
    at = end
  }
}

/** The tokens allowed after this one; null: this one is not allowed here. */
function after(token: string, before: string, wanted: Wanted, open: ('{' | '[')[]): Wanted | null {
  const ended = (): Wanted => (open.length === 0 ? 'nothing more' : '"," or the end of it')
  if (token === '}' || token === ']') {
    const bracket = token === '}' ? '{' : '['
    const isEmpty = before === bracket && open.at(-1) === bracket
    if (open.at(-1) !== bracket || !(isEmpty || wanted === '"," or the end of it')) return null
    open.pop()
    return ended()
  }
  if (wanted === '":"') return token === ':' ? 'a value' : null
  if (wanted === '"," or the end of it')
    return token === ',' ? (open.at(-1) === '{' ? 'a key in double quotes' : 'a value') : null
  if (wanted === 'a key in double quotes') return token.startsWith('"') ? '":"' : null
  if (wanted === 'nothing more' || token === '' || token === ':' || token === ',') return null
  if (token !== '{' && token !== '[') return ended()
  open.push(token)
  return token === '{' ? 'a key in double quotes' : 'a value'
}

function wrongWords(text: string, at: number, before: string, wanted: Wanted): string {
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return 'a comment, which JSON does not have'
  if (before === ',' && /[}\]]/.test(text[at] ?? '')) return 'a comma too many before it'
  const found = oneLine(text.slice(at, at + 20).split('\n', 1)[0] ?? '')
  return wanted === 'nothing more' ? `there is more behind its end: ${found}` : `${wanted} is missing before ${found}`
}

function past(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

const lineAt = (text: string, at: number): string => `line ${text.slice(0, at).split('\n').length}`
