import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { questionIn } from '@beadloom/core/records/wait.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { finishedFollowUps } from '@beadloom/core/views/finished-follow-ups.ts'
import { statusWord } from './bead-list.ts'
import {
  allowCommand,
  allowLines,
  answerCommand,
  linesOf,
  outcomeLines,
  stageText,
  tellCommand,
  waitText,
  whyQueued,
} from '../executions/execution-notes.ts'
import { duration, glyph, table, type Cell } from '../terminal/output.ts'
import { toneOf, type Paint } from '../terminal/paint.ts'
import { cutText, oneLiner, plainText, textWidth, wrapText } from '../terminal/terminal-text.ts'

export type ViewOptions = { columns: number; paint: Paint; now: number }

/** Longer lines are hard to read, however wide the window is. */
const READABLE_COLUMNS = 100
const LINKS_SHOWN = 50
const EXECUTIONS_SHOWN = 10
const INDENT = '  '

/** Everything about a bead, for people. */
export function beadPage(bead: BeadView, options: ViewOptions): string {
  const { paint, columns } = options
  const head = `${oneLiner(bead.id)}  ${oneLiner(bead.title)}`
  const facts = [
    paint[toneOf[statusWord(bead)] ?? 'plain'](statusWord(bead)),
    `P${bead.priority}`,
    oneLiner(bead.type),
    ...(bead.ready ? [paint.green('ready')] : []),
    ...(bead.trackerStatus === bead.status ? [] : [`"${oneLiner(bead.trackerStatus)}" in the tracker`]),
    ...bead.labels.map((label) => `#${oneLiner(label)}`),
  ]
  const dates = `project ${oneLiner(bead.project)}, created ${dayText(bead.createdAt)}, updated ${dayText(bead.updatedAt)}`
  const parts = [
    [...wrapText(head, columns).map(paint.bold), ...joined(facts, columns), ...wrapText(dates, columns).map(paint.dim)],
    bead.reason ? wrapText(`↳ ${oneLiner(bead.reason.text)}`, columns) : [],
    bead.baseBranch ? wrapText(`continues from ${oneLiner(bead.baseBranch)}`, columns) : [],
    part('Description', descriptionLines(bead.description, columns), paint),
    part('Depends on', linkLines(bead.dependencies, options), paint),
    part('Needed by', linkLines(bead.dependents, options), paint),
    part('Executions', executionLines(bead.executions, options), paint),
  ]
  return [...parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n')), nextStep(bead)]
    .filter((text) => text !== '')
    .join('\n\n')
}

const part = (title: string, lines: string[], paint: Paint): string[] =>
  lines.length === 0 ? [] : [paint.bold(title), ...lines.map((line) => (line === '' ? '' : `${INDENT}${line}`))]

/** Facts separated by dots, wrapped. They may be painted, so their width is that of the bare text. */
function joined(facts: readonly string[], columns: number): string[] {
  const lines: string[] = []
  for (const fact of facts) {
    const line = lines.at(-1)
    const longer = line === undefined ? fact : `${line} · ${fact}`
    if (line !== undefined && textWidth(plainText(longer)) <= columns) lines[lines.length - 1] = longer
    else lines.push(textWidth(plainText(fact)) <= columns ? fact : cutText(plainText(fact), columns))
  }
  return lines
}

/** The description line by line, as written; a pipe gets it unwrapped. */
function descriptionLines(description: string, columns: number): string[] {
  const text = plainText(description).replaceAll('\t', '    ').replaceAll('\r', '').trim()
  if (text === '') return []
  if (columns === Infinity) return text.split('\n').map((line) => line.trimEnd())
  const room = Math.max(1, Math.min(columns, READABLE_COLUMNS) - INDENT.length)
  return text.split('\n').flatMap((line) => {
    const indent = /^ {0,12}/.exec(line)?.[0] ?? ''
    if (indent.length >= room) return [cutText(line.trim(), room)]
    return wrapText(line.trim(), room - indent.length).map((words) => `${indent}${words}`.trimEnd())
  })
}

type Link = BeadView['dependencies'][number]

function linkLines(links: readonly Link[], { columns, paint }: ViewOptions): string[] {
  const rows = links.slice(0, LINKS_SHOWN).map(({ id, type, status, failed, title }): Cell[] => {
    const word = failed ? 'failed' : status
    return [
      { text: id, paint: paint.bold },
      { text: word, paint: paint[toneOf[word] ?? 'plain'] },
      { text: type, paint: paint.dim },
      title ?? '',
    ]
  })
  if (rows.length === 0) return []
  const more = links.length - rows.length
  const lines = table(rows, columns - INDENT.length).split('\n')
  return more > 0 ? [...lines, `… and ${more} more (--json shows all)`] : lines
}

function executionLines(executions: readonly ExecutionView[], options: ViewOptions): string[] {
  const lines = executions.slice(0, EXECUTIONS_SHOWN).flatMap((one) => executionPart(one, options))
  const more = executions.length - EXECUTIONS_SHOWN
  return more > 0 ? [...lines, `… and ${more} more (--json shows all)`] : lines
}

function executionPart(one: ExecutionView, { columns, paint, now }: ViewOptions): string[] {
  const { id, state, attempt, progress, startedAt, endedAt, queuedAt, branch, commit } = one
  const tone = paint[toneOf[state] ?? 'plain']
  const ms = lastedBy(one, now)
  const facts = [
    `${tone(`${glyph[state] ?? ' '} ${id}`)} ${tone(state)}`,
    ...(progress || attempt > 0 ? [stageText(one)] : []),
    ...(ms === null ? [] : [duration(ms)]),
    dayText(endedAt ?? startedAt ?? queuedAt),
  ]
  const room = columns - INDENT.length
  const below = [
    ...linesOf(one.detail),
    ...[whyQueued(one) ?? waitText(one, now) ?? one.activity].flatMap((text) =>
      text === null ? [] : [oneLiner(text)],
    ),
    `branch ${oneLiner(branch)}${commit === null ? '' : ` at ${commit.slice(0, 12)}`}`,
    ...(one.fetch === undefined ? [] : [`bring it here: ${oneLiner(one.fetch)}`]),
    ...outcomeLines(one),
  ]
  const wrapped = below.flatMap((line) => wrapText(line, Math.max(1, room - INDENT.length)))
  return [...joined(facts, room), ...wrapped.map((line) => `${INDENT}${line}`)]
}

/** The likely next command for a person. */
function nextStep(bead: BeadView): string {
  const { id, execution, executions, status, ready } = bead
  const name = oneLiner(id)
  const live = executions.find(({ state }) => state === 'QUEUED' || state === 'RUNNING')
  if (live && questionIn(live.waits) !== null) return `Answer its question: ${tellCommand(id)}`
  if (live) return `Follow it: beadloom attach ${live.id}`
  if (status === 'done') return execution ? `See what it changed: beadloom diff ${name}` : ''
  const [finished] = finishedFollowUps(bead)
  if (finished)
    return `Its follow-up ${oneLiner(finished.bead)} is done. If nothing is left to do: beadloom beads close ${name}. Otherwise: beadloom run ${name} --wait`
  const [asks] = bead.reason?.code === 'needs_human' ? (bead.reason.beads ?? []) : []
  const done = bead.dependencies.some(({ id, status: theirs }) => id === asks && theirs === 'done')
  if (asks !== undefined && done) return `Close it: beadloom beads close ${name}`
  const question = bead.dependencies.some(({ id, status: theirs }) => id === asks && theirs === 'blocked')
  if (asks !== undefined && question) return `Answer it there: ${answerCommand(asks)}`
  if (asks !== undefined) return `Run that one: beadloom run ${oneLiner(asks)} --wait`
  if (executions[0]?.state === 'BLOCKED') return `Answer its question: ${answerCommand(id)}`
  if (executions[0] && allowLines(executions[0]).length > 0)
    return `If the tests may be weaker: ${allowCommand(id)}. Otherwise: beadloom run ${name} --wait`
  return ready || execution ? `Run it: beadloom run ${name} --wait` : ''
}

/** In this machine's time zone: "2026-11-22 14:05". */
function dayText(at: number): string {
  const date = new Date(at)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
