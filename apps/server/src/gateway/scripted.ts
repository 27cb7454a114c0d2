import type { ServerResponse } from 'node:http'
import type { GatewayCaller, Usage } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import { chatCompletion, chatEvents } from './chat-answer.ts'
import { message, messageEvents } from './messages-answer.ts'
import { callerGone, problem, type Problem } from './problem.ts'
import { responseEvents, responseObject } from './responses-answer.ts'
import type { Dialect } from './route.ts'
import { loadScenario, scriptFor, turnsFor, type Turn } from './scenario.ts'
import { usageOf, type ScriptedAnswer } from './scripted-answer.ts'
import { callId, folderIn, isBeside, progressMark, stillRunning, titleIn, turnsPlayed } from './scripted-progress.ts'
import { readRequest, type ScriptedRequest } from './scripted-request.ts'
import { filler, pollCall, translateCall, type GivenCall } from './scripted-tools.ts'
import { estimateTokens } from './usage-meter.ts'

export const SCRIPTED = 'scripted'

/** Said wherever the scripted model appears, so that nobody takes it for an AI. */
export const SCRIPTED_NOTE = 'replays a recorded scenario; no AI'

export type ScriptedDeps = { scenariosFolder: string; clock: Clock }

/** Null usage: counting tokens uses none. */
type Played = { failed: Problem } | { usage: Usage | null }

/** What to say. `step` tells apart what is said at the same place in the script. `again`: it belongs to the turn before. */
type Answer = { say: string; calls: GivenCall[]; step: string; again?: true }

/**
 * Answers with the next turn of the bead's script. It keeps nothing between calls: which turn comes next follows from
 * the request, and which attempt from the caller. An agent's calls beside its work get a harmless answer.
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
  const { say, calls, step, again } = answer
  const usage = usageOf(request.characters, say, calls)
  const turn = again ? played : played + 1
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

type Next = Answer | { failed: Problem }

async function nextTurn(
  who: GatewayCaller,
  dialect: Dialect,
  request: ScriptedRequest,
  played: number,
  signal: AbortSignal,
  { scenariosFolder, clock }: ScriptedDeps,
): Promise<Next> {
  const polls = stillRunning(request.entries).flatMap((session) => pollCall(session, request.tools) ?? [])
  if (polls.length > 0) return { say: '', calls: polls, step: `p${request.entries.length}_`, again: true }
  const found = await findTurn(who, request, played, scenariosFolder)
  if ('failed' in found || 'say' in found) return found
  const { turn } = found
  if (turn.calls && request.tools.length === 0 && !request.form) return beside(request, played)
  await clock.sleep(turn.delayMs ?? 0, signal)
  if (signal.aborted) return { failed: callerGone }
  if (turn.fail) return { failed: failure(dialect, turn.fail) }
  return fillIn(turn, who, request)
}

const refuse = (message: string) => ({ failed: problem(400, 'no_script', `the scripted model: ${message}`) })

async function findTurn(
  { bead, attempt, scenario }: GatewayCaller,
  request: ScriptedRequest,
  played: number,
  folder: string,
): Promise<{ turn: Turn } | Next> {
  if (!scenario) return refuse('no scenario named: set "scenario" in beadloom.json')
  const loaded = await loadScenario(folder, scenario)
  if ('problem' in loaded) return refuse(loaded.problem)
  const script = scriptFor(loaded.scenario, bead, titleIn(request.entries))
  if (!script) return refuse(`scenario "${scenario}" has no script for bead ${bead}: add one, or an "otherwise"`)
  if (request.form && script.structuredOutput === false) return refuse('this script takes no response_format')
  const turns = turnsFor(script, attempt)
  const turn = turns[played]
  const formTool = request.tools.find(isFormTool)
  if (turn?.document && !request.form && !formTool)
    return refuse(`turn ${played + 1} for bead ${bead} is a document, and the request asks for none (response_format)`)
  if (turn) return { turn }
  if (turns[played - 1]?.document && formTool) return { say: 'The document is submitted.', calls: [], step: '' }
  return refuse(`scenario "${scenario}" has ${turns.length} turns for attempt ${attempt} at bead ${bead}, and no more`)
}

/** Claude Code takes a document (`--json-schema`) as the arguments of a tool. */
const isFormTool = ({ name }: { name: string }): boolean => name === 'StructuredOutput'

function fillIn(turn: Turn, who: GatewayCaller, request: ScriptedRequest): Next {
  const fill = (text: string) => text.replaceAll('{{bead}}', who.bead).replaceAll('{{attempt}}', String(who.attempt))
  const formTool = request.form ? undefined : request.tools.find(isFormTool)
  const asked = turn.document && formTool ? [{ tool: formTool.name, arguments: turn.document }] : []
  const folder = folderIn(request.entries)
  const calls: GivenCall[] = []
  for (const call of [...(turn.calls ?? []), ...asked]) {
    const filled = { ...call, arguments: JSON.parse(fill(JSON.stringify(call.arguments))) as Record<string, unknown> }
    const given = translateCall(filled, request.tools, folder)
    if ('problem' in given) return refuse(given.problem)
    calls.push(given)
  }
  const document = turn.document && !formTool ? JSON.stringify(turn.document) : undefined
  return { say: fill(document ?? turn.say ?? ''), calls, step: '' }
}

/** For calls beside the work: of the form that is asked for, and never a turn of the script. */
function beside({ form }: ScriptedRequest, played: number): Answer {
  const say = form
    ? JSON.stringify(filler('', { type: 'object', ...form.schema }))
    : `Scripted session ${progressMark(played)}`
  return { say, calls: [], step: 'beside' }
}

/** Each API has words of its own for what kind of error it is. */
function failure(dialect: Dialect, { status, message: text }: { status: number; message: string }): Problem {
  const usual = problem(status, 'scripted_failure', text)
  if (dialect !== 'messages' || status < 500) return usual
  return { ...usual, type: status === 529 ? 'overloaded_error' : 'api_error' }
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
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  for (const event of events(answer)) response.write(event)
  response.end()
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
