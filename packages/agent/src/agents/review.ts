import { answerBounds } from '@beadloom/core/review/review.ts'
import type { ReviewWork } from '@beadloom/core/execution/session-order.ts'
import { AgentVoice, type AgentEnd } from '../ends/agent-end.ts'
import type { AnswerForm } from '../tools/answer-form.ts'
import { runCommandAgent } from './command-agent.ts'
import { runPresetAgent } from './preset-agent.ts'
import type { EventWriter } from '../output/event-writer.ts'
import type { SessionDeps } from '../commands/session-deps.ts'
import { splitText } from '../output/split-text.ts'

/** At six bytes for each character, a piece still fits an event line. */
const PIECE_BYTES = 32 * 1024

/**
 * Runs an agent that only looks and answers. Its answer goes to the record unchanged; the server decides whether it is
 * valid.
 */
export async function runReviewer(
  deps: SessionDeps,
  { agent, prompt, nonce, blockedGraceMs, form = 'review' }: ReviewWork,
): Promise<AgentEnd> {
  if (agent.name !== 'openai') {
    const voice = new ListeningVoice(deps, blockedGraceMs)
    const run = () =>
      agent.name === 'command'
        ? runCommandAgent(deps, voice, agent, prompt)
        : runPresetAgent(deps, voice, agent, prompt)
    const end = await run().finally(() => voice.end())
    if (end.outcome === 'success') await tell(deps.writer, nonce, voice.heard)
    return end
  }
  const { runBuiltInAgent } = await import('./built-in-agent.ts')
  const { answeringRole } = await import('./answering-role.ts')
  const role = answeringRole(deps.order.workspace, await formOf(form), {
    take: (answer) => tell(deps.writer, nonce, answer),
    warn: (text) => deps.writer.write({ type: 'warning', text }),
  })
  const voice = new AgentVoice(deps, blockedGraceMs)
  return runBuiltInAgent(deps, voice, { order: agent, prompt: prompt }, role).finally(() => voice.end())
}

const formOf = async (form: NonNullable<ReviewWork['form']>): Promise<AnswerForm> =>
  form === 'plan' ? (await import('./plan-form.ts')).planForm : (await import('./review-form.ts')).reviewForm

/** Writes one answer, in as many event lines as it needs; writes nothing for an empty one. */
async function tell(writer: EventWriter, nonce: string, answer: string): Promise<void> {
  if (answer.trim() === '') return
  const pieces = [...splitText(answer, PIECE_BYTES)]
  for (const [at, text] of pieces.entries())
    await writer.write({ type: 'review', nonce, text, last: at === pieces.length - 1 })
}

/** Keeps what a command line prints on standard output, or its last message if it speaks in messages. */
class ListeningVoice extends AgentVoice {
  #heard = ''

  get heard(): string {
    return this.#heard
  }

  override async say(text: string, whole = false): Promise<void> {
    // One character over the limit is enough to be refused.
    this.#heard = `${whole ? '' : this.#heard}${text}`.slice(0, answerBounds.bytes + 1)
    await super.say(text)
  }
}
