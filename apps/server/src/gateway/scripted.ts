import type { ServerResponse } from 'node:http'
import type { GatewayCaller, Usage } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import { chatChunks, chatCompletion, chatUsage, type ChatTurn } from './chat-answer.ts'
import { callerGone, problem, type Problem } from './problem.ts'
import { isObject } from './request-body.ts'
import type { Dialect } from './route.ts'
import { loadScenario, scriptFor, turnsFor, type Turn } from './scenario.ts'

export const SCRIPTED = 'scripted'

/** Said wherever the scripted model appears, so that nobody takes it for an AI. */
export const SCRIPTED_NOTE = 'replays a recorded scenario; no AI'

export type ScriptedDeps = { scenariosFolder: string; clock: Clock }

type Played = { failed: Problem } | { usage: Usage }

/**
 * Answers with the next turn of the bead's script. It keeps nothing between calls: which turn comes next follows
 * from the number of assistant messages in the request, and which attempt from the caller.
 */
export async function playScripted(
  who: GatewayCaller,
  dialect: Dialect,
  body: Record<string, unknown>,
  response: ServerResponse,
  signal: AbortSignal,
  deps: ScriptedDeps,
): Promise<Played> {
  if (dialect !== 'chat') return { failed: wrongApi }
  const messages = body['messages']
  if (!Array.isArray(messages)) return { failed: problem(400, 'bad_request', 'the request has no "messages"') }
  const spoken = messages.filter((message) => isObject(message) && message['role'] === 'assistant').length
  const asksForm = isObject(body['response_format']) && body['response_format']['type'] === 'json_schema'
  const found = await findTurn(who, { spoken, asksForm, title: titleIn(messages) }, deps.scenariosFolder)
  if ('failed' in found) return found
  const { turn } = found
  await deps.clock.sleep(turn.delayMs ?? 0, signal)
  if (signal.aborted) return { failed: callerGone }
  if (turn.fail) return { failed: problem(turn.fail.status, 'scripted_failure', turn.fail.message) }
  const answer = chatTurn(who, spoken, turn, JSON.stringify([messages, body['tools'] ?? null]).length, deps.clock)
  if (body['stream'] === true) sendChunks(response, answer)
  else sendJson(response, chatCompletion(answer))
  const { prompt_tokens: input, completion_tokens: output } = answer.usage
  return { usage: { model: SCRIPTED, input, output, known: true } }
}

async function findTurn(
  who: GatewayCaller,
  { spoken, asksForm, title }: { spoken: number; asksForm: boolean; title: string | null },
  folder: string,
): Promise<{ turn: Turn } | { failed: Problem }> {
  const { bead, attempt, scenario } = who
  const fail = (message: string) => ({ failed: problem(400, 'no_script', `the scripted model: ${message}`) })
  if (!scenario) return fail('no scenario named: set "scenario" in beadloom.json')
  const loaded = await loadScenario(folder, scenario)
  if ('problem' in loaded) return fail(loaded.problem)
  const script = scriptFor(loaded.scenario, bead, title)
  if (!script) return fail(`scenario "${scenario}" has no script for bead ${bead}: add one, or an "otherwise"`)
  if (asksForm && script.structuredOutput === false) return fail('this script takes no response_format')
  const turns = turnsFor(script, attempt)
  const turn = turns[spoken]
  if (turn?.document && !asksForm)
    return fail(`turn ${spoken + 1} for bead ${bead} is a document, and the request asks for none (response_format)`)
  if (turn) return { turn }
  return fail(`scenario "${scenario}" has ${turns.length} turns for attempt ${attempt} at bead ${bead}, and no more`)
}

/** The bead's title, as the first message of an agent that works on it names it. */
function titleIn(messages: readonly unknown[]): string | null {
  const first = messages.find((message) => isObject(message) && message['role'] === 'user')
  const text = isObject(first) && typeof first['content'] === 'string' ? first['content'] : ''
  return /^TASK: Bead #\S+ - (.+)$/m.exec(text)?.[1]?.trim() ?? null
}

function chatTurn(who: GatewayCaller, spoken: number, turn: Turn, requestCharacters: number, clock: Clock): ChatTurn {
  const fill = (text: string) => text.replaceAll('{{bead}}', who.bead).replaceAll('{{attempt}}', String(who.attempt))
  const say = fill(turn.document === undefined ? (turn.say ?? '') : JSON.stringify(turn.document))
  const calls = (turn.calls ?? []).map((call) => ({ tool: call.tool, arguments: fill(JSON.stringify(call.arguments)) }))
  const length = say.length + calls.reduce((sum, call) => sum + call.tool.length + call.arguments.length, 0)
  return {
    id: `scripted-${who.session}-${spoken + 1}`,
    created: Math.floor(clock.now() / 1000),
    model: SCRIPTED,
    fingerprint: SCRIPTED_NOTE,
    say,
    calls,
    usage: chatUsage(requestCharacters, length),
  }
}

function sendChunks(response: ServerResponse, turn: ChatTurn): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  for (const chunk of chatChunks(turn)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

const wrongApi = problem(
  501,
  'scripted_chat_only',
  'the scripted model speaks /v1/chat/completions only: use the agent "openai" with it, or set OPENAI_API_KEY',
)
