import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { ModelTrouble } from '@beadloom/core/records/failure/failure.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import type { AgentApi } from '@beadloom/core/agents/preset.ts'
import type { TokenUse } from '@beadloom/core/budget/token-use.ts'
import type { HostedTool, HostedUses } from '@beadloom/core/gateway/hosted-tools.ts'
import type { Refusal } from '@beadloom/core/gateway/walk.ts'
import type { CallPart } from '@beadloom/core/context/context-gauge.ts'
import type { AddedMessage, WithMessages } from '@beadloom/core/gateway/added-messages.ts'
import type { Cooldown } from './store/cooldowns.ts'

/**
 * The server's model endpoint under `/v1/`, for three APIs: OpenAI's chat completions and responses, and Anthropic's
 * messages. It adds the key, counts tokens, and refuses calls once a budget is used up. A container never sees the key.
 */
export interface Gateway {
  /** Answers one request of a session; model and budget come from `who`. */
  handle(who: GatewayCaller, request: IncomingMessage, response: ServerResponse): void
  /**
   * Whether an agent that speaks this API (default: any) can use this model now, with a sentence for people
   * ("no model configured: set OPENAI_API_KEY"). `project`: its opened tools count; left out: none is open.
   */
  check(
    model: string | null,
    scenario: string | null,
    api?: AgentApi | null,
    project?: ProjectId | null,
  ): Promise<ModelCheck>
  /** The endpoint's own name of the model for the built-in agent; null: none is named. */
  nameOf(model: string | null): string | null
  /** The cooldown of a project's model, or of the server's for null; null when the model may be called now. */
  cooldown(model: string | null): Cooldown | null
}

/** A session at the gateway: its facts, what the gateway asks about it, and where its calls are reported. */
export type GatewayCaller = {
  execution: ExecutionId
  session: SessionId
  /** The bead's id, for a reviewer with `review:` in front, for a sub-agent with its name. Finds the script in a scenario. */
  bead: string
  attempt: number
  /** The model that the project asks for; `scripted` for the scenario player; null: the server's default model. */
  model: string | null
  /** Other models that it may ask for by name: the models of the agents that the project's base branch names. */
  models?: readonly string[]
  scenario: string | null
  /** Whether its bead has been completed before. Asked for a scenario only; left out: it has not. */
  again?: () => boolean
  /** Tools that its endpoint may run for it. */
  hosted: readonly HostedTool[]
  /** The limit for which a call is refused at once, or null. Called before each call. */
  usedUp: () => UsedUp | null
  /** Whether a call has to wait for a person, at a limit that asks. Called before each call. */
  isHeld: () => boolean
  /**
   * Holds a call for as long as `isHeld` says. Resolves to null when the call may be made or `signal` aborts, else to
   * the limit for which it is refused.
   */
  whileHeld: (signal: AbortSignal) => Promise<UsedUp | null>
  /** Told of its agent's own calls, which may be cut off. Absent: nobody stops what it does. */
  turn?: {
    begin(call: CallInHand): void
    /** Nothing that its agent does is being ended any more: the next answer may begin. */
    settled(): Promise<void>
    /** An answer begins to arrive. */
    answering(): void
    over(call: CallInHand): void
  }
  /**
   * Its agent is a person's command line, whose own calls may have no tools. Once it has used tools (noted here), calls
   * without any are beside its work, as for the known agents. Absent: it is a known agent.
   */
  commandLine?: { usesTools: boolean }
  /** Messages of people to its agent. Absent: nobody speaks to it. */
  messages?: SpokenMessages
  /** Runs the wait for a model that is cooling down, which does not count as the agent's silence. */
  whileWaiting: (wait: () => Promise<void>) => Promise<void>
  /** Reports what happened at its calls, in this order. */
  tell: (news: CallNews) => void
}

/** `cut` is set while the call can be cut off: its answer ends, and it is made anew. */
export type CallInHand = { cut: (() => void) | null }

/** Messages of people for the agent of a session. Asked right before each call to a model that may be its own. */
export type SpokenMessages = {
  /**
   * @param body the request, one character a byte: made only if it is needed, because it may be large
   * @param isSummary it asks for a summary of the conversation: only messages that the agent has are added
   */
  toAdd: (body: () => string, isSummary: boolean) => readonly AddedMessage[]
  /** A model has answered a request with these in it. */
  delivered: (placed: WithMessages['placed']) => void
}

export type CallNews =
  /** Names of the parts of a request that were left out, and why it was refused. Told for each request. */
  | { type: 'kept_back'; dropped: readonly string[]; refused: Refusal | null }
  /** A call was refused because a limit is reached. */
  | { type: 'over_limit'; limit: UsedUp }
  /**
   * Told once for each call that used tokens, with the counts from the model's answer. `known` is false if it has none:
   * then both are estimated, at four characters a token.
   */
  | { type: 'used'; usage: Usage }
  /**
   * A problem that people should see ("the model endpoint … answered 401: check OPENAI_API_KEY"). `trouble`: the kind
   * of failure, if a later call may be answered.
   */
  | { type: 'problem'; text: string; trouble: ModelTrouble | null }
  /** A call is being retried; `code` is the problem's. */
  | { type: 'retried'; code: string }
  /** Its model is cooling down and the session waits: told once for each new time to wait until. */
  | { type: 'cooling_down'; cooldown: Cooldown }

/**
 * `known` false: estimated. `part`: the purpose of the call. `agent`: the sub-agent that claims the call; '' for the
 * session's own. `hosted`: the tools that its endpoint ran, as far as the answer shows it.
 */
export type Usage = TokenUse & { model: string; known: boolean; part: CallPart; agent: string; hosted?: HostedUses }

/** `note` names the kind of model, if that matters ("recorded run, no AI"). */
export type ModelCheck = { ok: boolean; name: string | null; text: string; note: string | null }
