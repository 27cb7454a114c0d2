import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import { headOf, isSameHead, type RequestHead } from '@beadloom/core/gateway/request-head.ts'

/** Calls in a row without the session's prompt, after which its agent has shortened it away. */
const MOST_WITHOUT_PROMPT = 3
/** Characters of the prompt by which a call is known to be the agent's own, and not of an agent that it asks. */
const MARK = 80

/**
 * Tells an agent's own calls from those of agents that it asks. A call with the session's prompt is its own. After its
 * agent has shortened the prompt away, so is one with the model's role and the tools that calls with the prompt had.
 */
export class OwnCalls {
  readonly #marks: readonly string[]
  readonly #mayAsk: 'nobody' | 'others' | 'unknown'
  #head: RequestHead | null = null
  #without = 0

  constructor(work: SessionOrder['work']) {
    // The conversation that it continues may have been shortened before.
    const texts = 'prompt' in work ? [work.prompt, ...(work.kind === 'work' ? [work.continues ?? ''] : [])] : ['']
    this.#marks = texts.map(markOf).filter((mark, at) => at === 0 || mark !== '')
    const name = 'agent' in work ? work.agent.name : 'command'
    // The built-in agent's sub-agents say their names.
    this.#mayAsk = name === 'openai' ? 'nobody' : name === 'preset' ? 'others' : 'unknown'
  }

  /** Looks at a call to which nothing is added. */
  learn(body: () => string): void {
    if (this.#head === null && this.#mayAsk !== 'nobody') this.whose(body())
  }

  /** `unsure`: it may be the agent's own. */
  whose(body: string): 'own' | 'another' | 'unsure' {
    if (this.#marks.some((mark) => body.includes(mark))) {
      this.#without = 0
      if (this.#mayAsk !== 'nobody') this.#head ??= headOf(body)
      return 'own'
    }
    if (this.#head !== null) {
      const head = headOf(body)
      if (head === null || !isSameHead(this.#head, head)) return 'another'
    } else if (this.#mayAsk === 'others') return 'unsure' // a later server has not seen its prompt
    this.#without += 1
    return this.#without > MOST_WITHOUT_PROMPT ? 'own' : 'unsure'
  }
}

/** The beginning of a prompt as it is in the JSON of a request, whatever its program escapes. */
const markOf = (prompt: string): string => /[ \w.,:;()-]{20,}/.exec(prompt.slice(0, 2000))?.[0].slice(0, MARK) ?? ''
