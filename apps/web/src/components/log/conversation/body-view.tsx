import type { Body } from '@beadloom/core/conversation/step.ts'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import css from './step-body.module.css'
import type { StepTools } from './step-tools.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'

/** Lines drawn of one body, and characters of one line; the log has the rest. */
const MOST_LINES = 200
const MOST_CHARACTERS = 1000

export const sizeOf = ({ lines, characters }: Body): string =>
  characters > 20_000 ? `${counted(lines, 'line')}, ${bytesText(characters)}` : counted(lines, 'line')

/**
 * The last lines of a body: they show the outcome. `indent`: the number of characters that the log puts before each
 * line.
 */
export function BodyView({
  body,
  indent,
  tools,
  whole = false,
}: {
  body: Body
  indent: number
  tools: StepTools
  whole?: boolean
}) {
  const count = Math.min(body.lines, MOST_LINES)
  const first = whole ? body.first : Math.max(body.first, body.last - count + 1)
  const numbers = Array.from({ length: Math.max(0, Math.min(count, body.last - first + 1)) }, (_, at) => first + at)
  return (
    <div className={css['body']}>
      {body.lines > count && (
        <button type="button" className={css['rest']} onClick={() => tools.toLog(body.first, body.last)}>
          {counted(body.lines - count, 'earlier line')} in the log
        </button>
      )}
      <pre className={css['lines']} tabIndex={0} role="group" aria-label={`Output, ${counted(body.lines, 'line')}`}>
        {numbers.map((n) => (
          <Line key={n} text={tools.line(n)?.slice(indent)} mark={tools.mark} />
        ))}
      </pre>
    </div>
  )
}

/** Only text nodes; characters that hide or move text are dropped or shown by name. */
function Line({ text, mark }: { text: string | undefined; mark: RegExp | null }) {
  if (text === undefined) return <span className={css['missing']}>…{'\n'}</span>
  const head = stripAnsi(text.slice(0, MOST_CHARACTERS)).toWellFormed()
  const more = text.length - MOST_CHARACTERS
  return (
    <>
      {marked(head, mark)}
      {more > 0 && <span className={css['missing']}> … +{bytesText(more)}</span>}
      {'\n'}
    </>
  )
}

function marked(text: string, pattern: RegExp | null) {
  if (pattern === null) return shown(text)
  const parts = []
  let at = 0
  for (const found of text.matchAll(pattern)) {
    if (found[0] === '' || parts.length > 200) break
    parts.push(shown(text.slice(at, found.index)), <mark key={found.index}>{shown(found[0])}</mark>)
    at = found.index + found[0].length
  }
  return [...parts, shown(text.slice(at))]
}
