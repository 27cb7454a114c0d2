import type { EventLine } from '@beadloom/core/log/event-line.ts'

/** Characters of a tool call's arguments in its one line of the log; the row keeps more. */
const ARGUMENTS_LENGTH = 200

/** The lines that a person reads in the log for an event (docs/log-format.md); empty for an event without any. */
export function describeEvent(event: EventLine): string {
  switch (event.type) {
    case 'output': // is in the log as it came, written elsewhere
    case 'usage':
    case 'raw':
      return ''
    case 'message':
    case 'review':
      return prefixed('› ', event.text)
    case 'tool_call':
      return `⚙ ${oneLine(event.tool)}(${shorten(oneLine(event.arguments), ARGUMENTS_LENGTH)})\n`
    case 'tool_result':
      return `${event.ok ? '✓' : '✗'} ${oneLine(event.tool)}, ${duration(event.durationMs)}\n${prefixed('  ', event.text)}`
    case 'fresh_start':
      return `· [REACT] Attempt ${event.attempt}/${event.maxAttempts} for task\n`
    case 'step':
      return `· step ${event.step} of ${event.maxSteps}\n`
    case 'section':
      return `§ ${oneLine(event.title)}\n${event.command === undefined ? '' : prefixed('$ ', event.command)}`
    case 'section_end': {
      const exit = event.exitCode === null ? 'ended' : `exit ${event.exitCode}`
      return `§ ${oneLine(event.title)}: ${exit}, ${duration(event.durationMs)}\n`
    }
    case 'warning':
      return prefixed('! ', event.text)
    case 'sub_agent':
      return prefixed(`⑂ ${oneLine(event.agent)}#${event.sub} `, subAgentText(event))
    case 'handover':
      return `! the context is ${percentOf(event)}full: the agent continues in a fresh one with this handover\n${prefixed('  ', event.text)}`
    case 'result':
      return `= ${outcomes[event.outcome]}\n${prefixed('= ', event.text)}`
  }
}

/** The words for a session's own claim about its end. It is a claim, like everything that a container prints. */
const outcomes: Record<Extract<EventLine, { type: 'result' }>['outcome'], string> = {
  success: 'succeeded',
  failed: 'failed',
  turn_limit: 'turn limit reached',
}

/** A line from the server itself. */
export const describeNote = (text: string): string => prefixed('# ', text)

/** Puts the prefix in front of every line of `text`; nothing for an empty text. */
function prefixed(prefix: string, text: string): string {
  if (text === '') return ''
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return `${prefix}${body.replaceAll('\n', `\n${prefix}`)}\n`
}

/** Formats a sub-agent's text like the agent's own lines, behind its name. */
function subAgentText({ what, text }: Extract<EventLine, { type: 'sub_agent' }>): string {
  switch (what) {
    case 'begin':
      return prefixed('§ ', text)
    case 'end':
      return prefixed('= ', text)
    case 'step':
      return `· step ${oneLine(text)}`
    case 'message':
      return prefixed('› ', text)
    case 'tool_call':
      return `⚙ ${shorten(oneLine(text), ARGUMENTS_LENGTH)}`
    case 'tool_result': {
      const [first = '', ...rest] = text.split('\n')
      return `${first}\n${prefixed('  ', rest.join('\n'))}`
    }
    case 'usage':
      return ''
    case 'warning':
    case 'handover':
      return prefixed('! ', text)
  }
}

function percentOf({ contextTokens, windowTokens }: Extract<EventLine, { type: 'handover' }>): string {
  return windowTokens > 0 ? `${Math.round((contextTokens / windowTokens) * 100)}% ` : ''
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

const duration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

/** Keeps at most `length` UTF-16 units, never half a character. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 2)
  const cutsPair = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, cutsPair ? length - 2 : length - 1)}…`
}
