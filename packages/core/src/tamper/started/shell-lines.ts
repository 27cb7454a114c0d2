/* The statements of a shell script: enough of the language to see which commands decide about its end. */

/** A command and `end`, the operator behind it. */
export type Command = { words: string; end: '\n' | ';' | '&&' | '||' | '|' | '&' }

const MOST_CHARACTERS = 128 * 1024
const MOST_COMMANDS = 5000
const LONGEST = 2000

/** A script's text without comments, the contents of here-documents, and broken lines. */
function plainScript(text: string): string {
  const lines: string[] = []
  let until: string | null = null
  for (const line of text.slice(0, MOST_CHARACTERS).split('\n')) {
    if (until !== null) {
      if (line.trim() === until) until = null
      continue
    }
    if (/^\s*#/.test(line)) continue
    until = /<<-?\s?(["']?)(\w{1,80})\1/.exec(line)?.[2] ?? null
    lines.push(line)
  }
  return lines.join('\n').replace(/\\\n\s*/g, ' ')
}

/** The commands of a script, in order. Linear: each character is looked at once. */
export function commandsIn(script: string): Command[] {
  const text = plainScript(script)
  const found: Command[] = []
  const open: string[] = []
  let words = ''
  const close = (end: Command['end']): void => {
    const plain = words.slice(0, LONGEST).trim().replace(/\s+/g, ' ')
    words = ''
    if (plain !== '' && found.length < MOST_COMMANDS) found.push({ words: plain, end })
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    const next = text[at + 1] ?? ''
    const inner = open.at(-1)
    if (letter === '\\' && inner !== "'") {
      words += letter + next
      at += 1
    } else if (inner === "'") {
      words += letter
      if (letter === "'") open.pop()
    } else if (letter === '$' && next === '(') {
      words += '$('
      open.push(')')
      at += 1
    } else if (letter === inner) {
      words += letter
      open.pop()
    } else if (letter === '"' || letter === '`' || (letter === "'" && inner !== '"')) {
      words += letter
      open.push(letter)
    } else if (letter === '(' && inner === ')') {
      words += letter
      open.push(')')
    } else if (open.length > 0) words += letter
    else if (letter === '#' && /\s$/.test(words)) {
      while (at + 1 < text.length && text[at + 1] !== '\n') at += 1
    } else {
      const end = operatorAt(text, at, words)
      if (end === null) words += letter
      else {
        close(end)
        at += end.length - 1
      }
    }
  }
  close('\n')
  return found
}

function operatorAt(text: string, at: number, words: string): Command['end'] | null {
  const letter = text[at] ?? ''
  if (letter === '\n' || letter === ';') return letter
  // Within `[[ … ]]` these are part of the condition.
  if (/(?:^|\s)\[\[\s/.test(words.slice(0, 200)) && !words.includes(']]')) return null
  const two = text.slice(at, at + 2)
  if (two === '&&' || two === '||') return two
  if (letter === '|') return text[at - 1] === '>' ? null : '|'
  if (letter === '&') return text[at - 1] === '>' || text[at - 1] === '<' || text[at + 1] === '>' ? null : '&'
  return null
}

const BEFORE = /^(?:(?:then|else|do|\{|\(|!|time|builtin|nohup|sudo)\s+|\(+)/
/** A command without keywords and settings of variables in front of it. */
export function bare(words: string): string {
  let rest = words
  for (let count = 0; count < 20; count++) {
    const shorter = rest
      .replace(BEFORE, '')
      .replace(/^[\w-]{1,80}\s?\(\)\s?\{?\s*/, '')
      .replace(/^(?:[A-Z_][A-Z0-9_]{0,80}=(?:"[^"]*"|'[^']*'|[^\s"'()]*)\s+)(?=\S)/, '')
    if (shorter === rest) break
    rest = shorter
  }
  return rest.replace(/(?:\s\}|\s?\)+)$/, (end) => (end.includes(')') && rest.includes('$(') ? end : '')).trim()
}
