import type { ServerResponse } from 'node:http'
import type { GatewayCaller, Usage } from '../../ports/gateway.ts'
import { chatCompletion, chatEvents } from './chat-answer.ts'
import { message, messageEvents } from './messages-answer.ts'
import type { Problem } from '../problem.ts'
import { responseEvents, responseObject } from './responses-answer.ts'
import type { Dialect } from '../route.ts'
import { usageOf, type ScriptedAnswer } from './scripted-answer.ts'
import { callId, isBeside, turnsPlayed } from './scripted-progress.ts'
import { readRequest } from './scripted-request.ts'
import { beside, nextTurn, type ScriptedDeps } from './scripted-turn.ts'
import { estimateTokens } from '../upstream/usage-meter.ts'

export const SCRIPTED = 'scripted'

/** Shown wherever the scripted model appears, so that nobody takes it for an AI. */
export const SCRIPTED_NOTE = 'recorded run, no AI'

/** Null usage: counting tokens uses none. */
type Played = { failed: Problem } | { usage: Omit<Usage, 'part' | 'agent'> | null }

/**
 * Answers with the next turn of the bead's script. Nothing is kept between calls: the turn follows from the request,
 * and the attempt from the caller. Calls that are not about the work get a harmless answer.
 */
export async function playScripted(
  who: GatewayCaller,
  dialect: Dialect,
  body: Record<string, unknown>,
  response: ServerResponse,
  signal: AbortSignal,
  deps: ScriptedDeps,
): Promise<Played> {
  const request = readRequest(dialect, body)
  if ('failed' in request) return request
  if (dialect === 'count') {
    sendJson(response, { input_tokens: estimateTokens(request.characters) })
    return { usage: null }
  }
  const played = turnsPlayed(request.entries)
  const answer = isBeside(request)
    ? beside(request, played)
    : await nextTurn(who, dialect, request, played, signal, deps)
  if ('failed' in answer) return answer
  const { turn, say, calls, step } = answer
  const usage = usageOf(request.characters, say, calls)
  send(dialect, request.streaming, response, {
    id: `scripted-${who.session}-${turn}${step}`,
    created: Math.floor(deps.clock.now() / 1000),
    model: SCRIPTED,
    note: SCRIPTED_NOTE,
    say,
    calls: calls.map((call, n) => ({
      ...call,
      id: callId(dialect === 'messages' ? 'toolu' : 'call', turn, `${step}${n + 1}`),
    })),
    usage,
  })
  return { usage: { model: SCRIPTED, ...usage, known: true } }
}

const writers = {
  chat: { whole: chatCompletion, events: chatEvents },
  responses: { whole: responseObject, events: responseEvents },
  messages: { whole: message, events: messageEvents },
}

function send(
  dialect: Exclude<Dialect, 'count'>,
  streaming: boolean,
  response: ServerResponse,
  answer: ScriptedAnswer,
) {
  const { whole, events } = writers[dialect]
  if (!streaming) return sendJson(response, whole(answer))
  begin(response, 'text/event-stream')
  for (const event of events(answer)) response.write(event)
  response.end()
}

/** Begins the answer; a call that was held has its head already. */
function begin(response: ServerResponse, type: string): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
}

export function sendJson(response: ServerResponse, body: unknown): void {
  begin(response, 'application/json')
  response.end(JSON.stringify(body))
}
