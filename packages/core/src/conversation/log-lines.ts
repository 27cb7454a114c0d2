/** A line of a log with its number; null: it is not here yet. */
export type LogLine = { n: number; text: string | null }

/** Characters of a line that are looked at. A line of 50 MB costs no more than one of 4 KB. */
export const LINE_CHARACTERS = 4096

const CALL = /^⚙ ([^(]{1,200})\((.*)\)$/s
const RESULT = /^[✓✗] (.{1,200}), (\d{1,12} ms|\d{1,9}(?:\.\d)? s)$/s
const SECTION_END = /^§ (.{1,300}): (?:exit (-?\d{1,10})|ended), (\d{1,12} ms|\d{1,9}(?:\.\d)? s)$/s
const NAMED = /^⑂ ([^#]{1,80})#(\d{1,6}) ?(.*)$/s

export const clip = (text: string): string =>
  text.length <= LINE_CHARACTERS ? text : text.slice(0, LINE_CHARACTERS).toWellFormed()

/** A tool call's line. `given` has no end if the log has shortened it. */
export function callOf(text: string): { tool: string; given: string } | null {
  const found = CALL.exec(text)
  return found && { tool: (found[1] ?? '').trim(), given: found[2] ?? '' }
}

export function resultOf(text: string): { ok: boolean; tool: string; took: string } | null {
  const found = RESULT.exec(text)
  return found && { ok: text.startsWith('✓'), tool: found[1] ?? '', took: found[2] ?? '' }
}

export function sectionEndOf(text: string): { title: string; exit: number | null; took: string } | null {
  const found = SECTION_END.exec(text)
  if (!found) return null
  return { title: found[1] ?? '', exit: found[2] === undefined ? null : Number(found[2]), took: found[3] ?? '' }
}

/** A sub-agent's line: the sub-agent, and the line without its name. */
export function namedLine(text: string): { agent: string; sub: number; text: string } | null {
  const found = text.startsWith('⑂ ') ? NAMED.exec(text) : null
  return found && { agent: found[1] ?? '', sub: Number(found[2]), text: found[3] ?? '' }
}

/** Whether a line is the agent's own; a test's output often looks like the other kinds. */
export const isAgents = (text: string): boolean =>
  text.startsWith('› ') || text.startsWith('⑂ ') || /^· (?:step \d|\[REACT\])/.test(text) || callOf(text) !== null
