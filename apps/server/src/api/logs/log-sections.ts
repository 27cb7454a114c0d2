import type { LogMeta, LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { executionOf, type SessionId } from '@beadloom/core/records/ids.ts'
import type { EventRow } from '../../ports/store/events.ts'
import type { Store } from '../../ports/store.ts'
import { eventParts } from '../../app/stored/event-parts.ts'

const TYPES = ['section', 'section_end', 'step', 'tool_call', 'tool_result']
/** The limit of entries in one outline: an agent that floods its log does not flood a page. */
const MOST_SECTIONS = 2_000
const NAME_LENGTH = 200

/**
 * The outline of a session's log, in order of lines: its sections, and in them the agent's steps and tool calls. An
 * agent's claims, like all events of a container.
 */
export async function sectionsOf(store: Pick<Store, 'eventPart'>, session: SessionId): Promise<LogMeta['sections']> {
  const outline = new Outline()
  for await (const events of eventParts(store, executionOf(session), { session, types: TYPES })) {
    for (const event of events) if (event.line !== null) outline.take(event, event.line)
    if (outline.sections.length >= MOST_SECTIONS) break
  }
  return outline.sections
}

class Outline {
  readonly sections: LogSection[] = []
  /** The call whose output continues until the next event. */
  #printing: LogSection | null = null
  #step: LogSection | null = null
  readonly #calls = new Map<string, LogSection>()

  take(event: EventRow, line: number): void {
    const data = event.data as Record<string, unknown>
    const over = this.#printing
    if (over && line > over.first) {
      over.last = Math.max(over.first, line - 1)
      this.#printing = null
    }
    switch (event.type) {
      case 'section':
        this.#endStep(line, event.at)
        this.#open('section', event, line, text(data['title']), textOrNull(data['command']))
        return
      case 'section_end':
        this.#endStep(line, event.at)
        this.#endSection(event, line, data)
        return
      case 'step':
        this.#endStep(line, event.at)
        this.#step = this.#open('step', event, line, `step ${text(data['step'])}`, null)
        return
      case 'tool_call': {
        const call = this.#open('call', event, line, text(data['tool']), textOrNull(data['arguments']))
        if (call) this.#calls.set(text(data['call']), call)
        return
      }
      case 'tool_result': {
        const call = this.#calls.get(text(data['call']))
        if (!call) return
        this.#calls.delete(text(data['call']))
        Object.assign(call, { exit: data['ok'] === false ? 1 : 0, endedAt: event.at })
        this.#printing = call
        return
      }
      default:
    }
  }

  #open(kind: LogSection['kind'], { at }: EventRow, first: number, title: string, command: string | null) {
    if (this.sections.length >= MOST_SECTIONS) return null
    const section = { kind, title, command, first, last: null, exit: null, startedAt: at, endedAt: null }
    this.sections.push(section)
    return section
  }

  #endStep(line: number, at: number): void {
    if (this.#step) Object.assign(this.#step, { last: Math.max(this.#step.first, line - 1), endedAt: at })
    this.#step = null
  }

  #endSection({ at }: EventRow, last: number, { title, exitCode }: Record<string, unknown>): void {
    const open = this.sections.findLast(
      (one) => one.kind === 'section' && one.title === text(title) && one.last === null,
    )
    if (open) Object.assign(open, { last, exit: typeof exitCode === 'number' ? exitCode : null, endedAt: at })
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, NAME_LENGTH) : typeof value === 'number' ? String(value) : ''
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? text(value) : null)
