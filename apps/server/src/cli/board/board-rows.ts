import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import { stageText, waitText } from '../executions/execution-notes.ts'
import { duration, glyph } from '../terminal/output.ts'
import { toneOf, type Paint } from '../terminal/paint.ts'
import { cutText, oneLiner, padText, textWidth } from '../terminal/terminal-text.ts'

const LEAST_TEXT_COLUMNS = 10
/** A wider name is cut: the title matters more. */
const NAME_COLUMNS = 18

type Widths = { bead: number; project: number; facts: number }

export function nameWidths(all: readonly ExecutionView[], only: string | null, columns: number): Widths {
  const widest = (texts: string[]): number =>
    Math.min(
      NAME_COLUMNS,
      Math.max(1, Math.floor(columns / 5)),
      Math.max(0, ...texts.map((text) => textWidth(oneLiner(text)))),
    )
  const projects = new Set(all.map(({ project }) => project))
  return {
    bead: widest(all.map(({ bead }) => bead)),
    project: only === null && projects.size > 1 ? widest([...projects]) : 0,
    facts: Math.max(LEAST_TEXT_COLUMNS, Math.min(34, Math.floor(columns / 3))),
  }
}

export function rowLine(
  { state, bead, project }: ExecutionView,
  { facts, text }: { facts: string; text: string; only: string | null },
  widths: Widths,
  columns: number,
  paint: Paint,
): string {
  const names = [bead, ...(widths.project > 0 ? [project] : [])].map((name, at) => {
    const width = at === 0 ? widths.bead : widths.project
    return padText(cutText(oneLiner(name), width), width)
  })
  const left = `${glyph[state] ?? ' '} ${names.join('  ')}`
  const room = columns - textWidth(left) - 2
  const tone = paint[toneOf[state] ?? 'plain']
  if (room < LEAST_TEXT_COLUMNS) return tone(cutText(`${left}  ${facts}`, columns))
  const said = cutText(facts, Math.min(room, widths.facts))
  const rest = room - Math.max(textWidth(said), widths.facts) - 2
  const title = rest < LEAST_TEXT_COLUMNS ? '' : cutText(oneLiner(text), rest)
  return `${tone(left)}  ${title === '' ? said : `${padText(said, widths.facts)}  ${title}`}`
}

export function runningFacts({ kind, attempt, maxAttempts, startedAt, progress }: ExecutionView, now: number): string {
  const since = startedAt === null ? [] : [duration(Math.max(0, now - startedAt))]
  return [stageText({ kind, attempt, maxAttempts, progress }), ...since].join(', ')
}

export function activityLine(one: ExecutionView, now: number, columns: number, paint: Paint): string {
  const text = oneLiner(waitText(one, now) ?? one.activity ?? 'starting')
  return paint.dim(cutText(`    ${text}`, columns))
}

export function endedFacts(execution: ExecutionView, now: number): string {
  const { state, endedAt } = execution
  const ago = endedAt === null ? '' : ` ${duration(Math.max(0, now - endedAt))} ago`
  const ms = lasted(execution)
  const took = ms === null ? '' : `, took ${duration(ms)}`
  return `${state}${ago}${took}`
}
