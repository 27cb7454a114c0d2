import { assertNever } from '@beadloom/core/text/assert-never.ts'
import type { EventBody, SubAgentEvent } from '@beadloom/core/log/event-line.ts'
import { inWords } from '@beadloom/core/context/budget-warnings.ts'
import type { LoopRecord } from '../loop/loop.ts'

/** Everything that a sub-agent does, in its parent's record, but never as the parent's own words or calls. */
export class ChildRecord implements LoopRecord {
  readonly #parent: Pick<LoopRecord, 'write'>
  readonly #child: { sub: number; agent: string }

  constructor(parent: Pick<LoopRecord, 'write'>, sub: number, agent: string) {
    this.#parent = parent
    this.#child = { sub, agent }
  }

  readonly say = (text: string): Promise<void> => this.tell('message', text)

  tell(what: SubAgentEvent, text: string): Promise<void> {
    return this.#parent.write({ type: 'sub_agent', ...this.#child, what, text })
  }

  write(body: EventBody): Promise<void> {
    switch (body.type) {
      case 'step':
        return this.tell('step', `${body.step} of ${body.maxSteps}`)
      case 'message':
        return this.tell('message', body.text)
      case 'tool_call':
        return this.tell('tool_call', `${body.tool}(${body.arguments})`)
      case 'tool_result':
        return this.tell('tool_result', `${body.ok ? '✓' : '✗'} ${body.tool}, ${body.durationMs} ms\n${body.text}`)
      case 'usage':
        return this.tell('usage', usageText(body))
      case 'warning':
        return this.tell('warning', body.text)
      case 'handover':
        return this.tell('handover', body.text)
      case 'output':
      case 'raw':
      case 'section':
      case 'section_end':
      case 'review':
      case 'result':
      case 'fresh_start':
      case 'sub_agent':
        throw new Error(`a sub-agent has no ${body.type}`)
      default:
        return assertNever(body)
    }
  }
}

const usageText = ({ model, input, output, cumulativeTokens = 0 }: Extract<EventBody, { type: 'usage' }>): string =>
  `${model}: ${inWords(input)} in, ${inWords(output)} out; ${inWords(cumulativeTokens)} so far`
