import type { EventLine } from '@beadloom/core/log/event-line.ts'
import type { RecordedEvent } from '../ports/store/sessions.ts'
import { shorten } from './describe-event.ts'

/** Characters that a row keeps; the log has the full text. */
const longest = { name: 200, command: 4096, arguments: 4096, toolText: 2048, text: 16_384 } as const

/**
 * The row for programs, or null: command output is in the log only. `at` is the server's time, because the container
 * could claim any.
 */
export function eventRow(event: EventLine, at: number, line: number | null): RecordedEvent | null {
  const data = dataOf(event)
  return data && { type: event.type, at, line, data }
}

function dataOf(event: EventLine): Record<string, unknown> | null {
  switch (event.type) {
    case 'output':
    case 'raw':
      return null
    case 'message':
    case 'warning':
      return { text: shorten(event.text, longest.text) }
    case 'review':
      return { text: shorten(event.text, longest.text), last: event.last }
    case 'tool_call':
      return {
        call: shorten(event.call, longest.name),
        tool: shorten(event.tool, longest.name),
        arguments: shorten(event.arguments, longest.arguments),
      }
    case 'tool_result':
      return {
        call: shorten(event.call, longest.name),
        tool: shorten(event.tool, longest.name),
        ok: event.ok,
        durationMs: event.durationMs,
        text: shorten(event.text, longest.toolText),
      }
    case 'usage':
      // Values that an agent did not give are left out of the row's JSON.
      return {
        model: shorten(event.model, longest.name),
        input: event.input,
        output: event.output,
        cumulativeTokens: event.cumulativeTokens,
        remainingBudget: event.remainingBudget,
        contextTokens: event.contextTokens,
        windowTokens: event.windowTokens,
        estimated: event.estimated,
      }
    case 'sub_agent':
      return {
        sub: event.sub,
        agent: shorten(event.agent, longest.name),
        what: event.what,
        text: shorten(event.text, event.what === 'tool_result' ? longest.toolText : longest.text),
      }
    case 'handover':
      return {
        contextTokens: event.contextTokens,
        windowTokens: event.windowTokens,
        text: shorten(event.text, longest.text),
      }
    case 'fresh_start':
      return { attempt: event.attempt, maxAttempts: event.maxAttempts }
    case 'step':
      return { step: event.step, maxSteps: event.maxSteps }
    case 'section':
      return {
        title: shorten(event.title, longest.name),
        command: event.command === undefined ? null : shorten(event.command, longest.command),
      }
    case 'section_end':
      return {
        title: shorten(event.title, longest.name),
        exitCode: event.exitCode,
        durationMs: event.durationMs,
      }
    case 'result':
      return {
        outcome: event.outcome,
        ...(event.reason && { reason: event.reason }),
        text: shorten(event.text, longest.text),
        commit: event.commit === null ? null : shorten(event.commit, longest.name),
        dirty: event.dirty,
        savedRef: event.savedRef === null ? null : shorten(event.savedRef, longest.name),
        exitCode: event.exitCode,
      }
  }
}
