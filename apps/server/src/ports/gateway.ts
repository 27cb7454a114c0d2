import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionId, SessionId } from '@beadloom/core/ids.ts'
import type { UsedUp } from '@beadloom/core/execution/token-budget.ts'
import type { AgentApi } from '@beadloom/core/agents/preset.ts'
import type { TokenUse } from '@beadloom/core/execution/token-use.ts'
import type { Cooldown } from './store/cooldowns.ts'

/**
 * The server's model endpoint, OpenAI-compatible under `/v1/`. It adds the key, counts tokens, and stops a session
 * whose budget is used up. A container never sees the key.
 */
export interface Gateway {
  /** Answers one request of one session; `who` decides the model and the budget. */
  handle(who: GatewayCaller, request: IncomingMessage, response: ServerResponse): void
  /**
   * Whether this model can be used now by an agent that speaks this API (default: any), as a sentence for people
   * ("no model configured: set OPENAI_API_KEY").
   */
  check(model: string | null, scenario: string | null, api?: AgentApi | null): Promise<ModelCheck>
  /** The cooldown of a project's model, or of the server's where null; null when it may be asked now. */
  cooldown(model: string | null): Cooldown | null
}

export type GatewayCaller = {
  execution: ExecutionId
  session: SessionId
  /** The bead's id; `review:` before it for a reviewer. Finds the script of a scenario. */
  bead: string
  attempt: number
  /** The model the project asks for, `scripted` for the scenario player; null: the server's default. */
  model: string | null
  scenario: string | null
  /** The limit of tokens that is reached, or null. Asked before each call. */
  usedUp: () => UsedUp | null
  /** A call was refused because a limit is reached. */
  onRefused: (limit: UsedUp) => void
  /**
   * Called once for each call that used tokens, with what the model's own answer counted; `known` false where it
   * does not say: then both are estimated, at four characters a token.
   */
  onUsage: (usage: Usage) => void
  /** A problem worth showing to people ("the model answered 401: check OPENAI_API_KEY"). */
  onProblem: (sentence: string) => void
  /** A call is made once more; `code` is the problem's. */
  onRetry: (code: string) => void
  /** Its model is cooling down and the session waits: told once for each time to wait until. */
  onCooldown: (cooldown: Cooldown) => void
  /** Runs the wait for a model that is cooling down, which does not count as the agent's silence. */
  whileWaiting: (wait: () => Promise<void>) => Promise<void>
}

/** `known` false: estimated. */
export type Usage = TokenUse & { model: string; known: boolean }

/** `note` says what the model is where that matters ("replays a recorded scenario; no AI"). */
export type ModelCheck = { ok: boolean; name: string | null; text: string; note: string | null }
