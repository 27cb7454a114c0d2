import type { Execution } from '@beadloom/core/records/execution.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { SCRIPTED, SCRIPTED_NOTE } from '../../gateway/scripted/scripted.ts'
import type { EventPart, EventRow } from '../../ports/store/events.ts'
import type { Store } from '../../ports/store.ts'
import { settingsOf } from '../../app/stored/stored-settings.ts'
import { linesOf, stepMark, stepText, waitText } from '../executions/execution-notes.ts'
import { duration, glyph } from '../terminal/output.ts'
import { cutText, oneLiner } from '../terminal/terminal-text.ts'

type Data = Record<string, unknown>
type Events = Pick<
  Store,
  | 'verifications'
  | 'eventPart'
  | 'lastSeq'
  | 'onEvent'
  | 'execution'
  | 'bead'
  | 'project'
  | 'liveExecutions'
  | 'unfinishedPipelines'
>

/** The types of events that have a line. */
const TOLD = [
  'state',
  'image',
  'image_build',
  'flag',
  'verification',
  'retry',
  'retry_outside',
  'push_pending',
  'retry_now',
  'integrated',
  'warning',
  'model_problem',
]
const PAGE = 1000
const PAGE_CHARACTERS = 1024 ** 2
/** More than are ever written at once. */
const FEW = 100
const TITLE_COLUMNS = 160
/** The width for an end and the next step, which are worth a few lines. */
const DETAIL_COLUMNS = 600
const TEXT_COLUMNS = 1000

/**
 * Prints news from now on, one line each, for the person at the server's terminal. Returns a function that stops it.
 *
 * @param defaultModel the server's model, for projects that name none
 * @param now the output of an earlier server is history
 */
export function showProgress(
  store: Events,
  defaultModel: string | null,
  now: number,
  write: (line: string) => void,
): () => void {
  const first = onlyOnce()
  const seen = new Map<ExecutionId, number>()
  for (const { id } of [...store.liveExecutions(), ...store.unfinishedPipelines()]) seen.set(id, store.lastSeq(id))

  const tell = (execution: Execution, event: EventRow): void => {
    const note = modelNote(store, execution, event, defaultModel)
    if (note !== null && first(note)) write(note)
    const line = lineOf(store, execution, event, first)
    if (line !== null) write(line)
  }
  return store.onEvent((id, seq) => {
    const execution = store.execution(id)
    if (!execution) return
    const known = seen.get(id)
    // An execution that ended long ago may have news, such as its merge.
    const isOld = known === undefined && execution.queuedAt < now
    for (let next: number | null = known ?? (isOld ? Math.max(0, seq - FEW) : 0); next !== null;) {
      const part: EventPart = store.eventPart(id, next, { types: TOLD, most: PAGE, characters: PAGE_CHARACTERS })
      for (const event of part.rows) if (!isOld || event.at >= now) tell(execution, event)
      next = part.next
    }
    seen.set(id, store.lastSeq(id))
  })
}

/** Executions that wait for the same image all report it; the terminal needs it once. */
function onlyOnce(): (text: string) => boolean {
  const said = new Set<string>()
  return (text) => said.size < said.add(text).size
}

/** A note for the terminal whenever the scripted model is used. */
function modelNote(store: Events, { project }: Execution, event: EventRow, defaultModel: string | null): string | null {
  if (event.type !== 'state' || (event.data as Data)['to'] !== 'RUNNING') return null
  const row = store.project(project)
  const model = (row && settingsOf(row)?.model) ?? defaultModel
  return model === SCRIPTED ? `  ${'model'.padEnd(10)} ${SCRIPTED}, in ${project}: ${SCRIPTED_NOTE}` : null
}

function lineOf(store: Events, execution: Execution, event: EventRow, first: (text: string) => boolean): string | null {
  const data = (event.data ?? {}) as Data
  const text = (name: string): string => cutText(oneLiner(String(data[name] ?? '')), TEXT_COLUMNS)
  const say = (words: string): string => `  ${execution.bead.padEnd(10)} ${words}`
  switch (event.type) {
    case 'state':
      return stateLine(store, execution, text('to'))
    case 'image':
      return first(text('text')) ? `  ${'image'.padEnd(10)} ${text('text')}` : null
    case 'image_build':
      return say(`building the project's image: ${text('setup') || 'no setup command'}`)
    case 'flag':
      return say(text('text'))
    case 'verification':
      return say(checkLine(store, execution, data))
    case 'retry':
    case 'retry_outside':
    case 'push_pending': {
      const waits = waitText(store.execution(execution.id) ?? execution, event.at)
      return waits === null ? null : say(waits)
    }
    case 'retry_now':
      return say('retrying now, without waiting')
    case 'integrated':
      return say(`merged into ${text('branch')}`)
    case 'warning':
    case 'model_problem':
      return event.session === null || event.type === 'model_problem' ? say(text('text')) : null
    default:
      return null
  }
}

/** The result of a check: "attempt 2, test: 3 tests failed (same failures)". */
function checkLine(store: Events, { id }: Execution, data: Data): string {
  const rows = store.verifications(id)
  const row = rows.findLast(
    ({ name, attempt, run }) => name === data['step'] && attempt === data['attempt'] && run === (data['run'] ?? 1),
  )
  const which = `attempt ${Number(data['attempt'] ?? 1)}${Number(data['run'] ?? 1) > 1 ? ', re-check' : ''}`
  if (row) return `${stepMark(row)} ${which}, ${stepText(row)}`
  return `${which} ${data['passed'] === true ? 'passed its checks' : 'failed its checks'}`
}

function stateLine(store: Events, execution: Execution, to: string): string {
  const { project, bead, detail } = execution
  const ms = lasted(execution)
  const took = ms === null ? '' : ` (${duration(ms)})`
  const text =
    to === 'RUNNING'
      ? cutText(oneLiner(store.bead(project, bead)?.title ?? ''), TITLE_COLUMNS)
      : cutText(linesOf(detail)[0] ?? '', DETAIL_COLUMNS)
  return `${glyph[to] ?? ' '} ${bead.padEnd(10)} ${to}${took}${text ? `: ${text}` : ''}`
}
