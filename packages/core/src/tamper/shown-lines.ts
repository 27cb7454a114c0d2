/*
 * A line as git shows it may be several for a compiler, or have its code where nobody looks: behind a comment, or
 * behind a thousand blanks.
 */

/** Python, JavaScript, Java and C# end a line here; git and most editors do not. */
const ENDS = /[\r\u2028\u2029]+(?=[^])/
/** Java reads such an escape before it looks for comments. */
const ESCAPED = /\\u+000[aAdD]/
const IN_FRONT = /^(?:\/\*.*?\*\/|\*\/)\s*(?=\S)/
/** Nothing is indented further. */
const MOST_INDENT = 200

/** The lines that a compiler sees in a line of a patch, each with at most so many characters. */
export function shownLines(line: string, longest: number): string[] {
  const parts = /[\r\u2028\u2029]/.test(line) ? line.split(ENDS) : [line]
  return parts.flatMap((part) => atEscape(cut(part, longest)))
}

/** A comment that ends at an escape, and the code behind it. */
function atEscape(line: string): string[] {
  const from = line.includes('\\u') ? line.indexOf('//') : -1
  const found = from >= 0 && !/["'`]/.test(line.slice(0, from)) ? ESCAPED.exec(line.slice(from)) : null
  if (found === null) return [line]
  const end = from + found.index
  return [line.slice(0, end), line.slice(end + found[0].length)]
}

/** A line that is too long has one blank for many, so that code behind them is read. */
function cut(line: string, longest: number): string {
  if (line.length <= longest) return line
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  return (indent.slice(0, MOST_INDENT) + line.slice(indent.length).replace(/\s+/g, ' ')).slice(0, longest)
}

/** Without comments that end on this line and have code behind them. */
export function withoutCommentsInFront(plain: string): string {
  let code = plain
  for (let found = IN_FRONT.exec(code); found; found = IN_FRONT.exec(code)) code = code.slice(found[0].length)
  return code
}
