import type { GatewayCaller } from '../../ports/gateway.ts'
import type { Clock } from '../../process/clock.ts'
import { callerGone, problem, type Problem } from '../problem.ts'
import type { Dialect } from '../route.ts'
import { loadScenario, scriptFor, turnsFor, type Turn } from './scenario.ts'
import { folderIn, hasNote, progressMark, stillRunning, titleIn } from './scripted-progress.ts'
import type { ScriptedRequest } from './scripted-request.ts'
import { filler, pollCall, translateCall, type GivenCall } from './scripted-tools.ts'

export type ScriptedDeps = { scenariosFolder: string; clock: Clock }

/** The answer, and its turn in the script. `step` distinguishes several answers at the same turn. */
export type Answer = { turn: number; say: string; calls: GivenCall[]; step: string }

type Next = Answer | { failed: Problem }

/** The script's next turn, translated to the tools of the request. */
export async function nextTurn(
  who: GatewayCaller,
  dialect: Dialect,
  request: ScriptedRequest,
  played: number,
  signal: AbortSignal,
  { scenariosFolder, clock }: ScriptedDeps,
): Promise<Next> {
  const polls = stillRunning(request.entries).flatMap((session) => pollCall(session, request.tools) ?? [])
  if (polls.length > 0) return { turn: played, say: '', calls: polls, step: `p${request.entries.length}_` }
  const found = await findTurn(who, request, played, scenariosFolder)
  if ('failed' in found || 'say' in found) return found
  const { turn, number } = found
  if (turn.calls && request.tools.length === 0 && !request.form) return beside(request, played)
  await clock.sleep(turn.delayMs ?? 0, signal)
  if (signal.aborted) return { failed: callerGone }
  if (turn.fail) return { failed: failure(dialect, turn.fail) }
  return fillIn(turn, number, who, request)
}

const refuse = (message: string) => ({ failed: problem(400, 'no_script', `the scripted model: ${message}`) })

async function findTurn(
  { bead, attempt, scenario, again }: GatewayCaller,
  request: ScriptedRequest,
  played: number,
  folder: string,
): Promise<{ turn: Turn; number: number } | Next> {
  if (!scenario) return refuse('no scenario named: set "scenario" in beadloom.json')
  const loaded = await loadScenario(folder, scenario)
  if ('problem' in loaded) return refuse(loaded.problem)
  const script = scriptFor(loaded.scenario, bead, titleIn(request.entries), again?.() ?? false)
  if (!script) return refuse(`scenario "${scenario}" has no script for bead ${bead}: add one, or an "otherwise"`)
  if (request.form && script.structuredOutput === false) return refuse('this script takes no response_format')
  const turns = turnsFor(script, attempt, hasNote(request.entries))
  const number = played + (isCommandLine(request) && isLookedThrough(turns, played) ? 2 : 1)
  const turn = turns[number - 1]
  const formTool = request.tools.find(isFormTool)
  if (turn?.document && !request.form && !formTool && !isCommandLine(request))
    return refuse(`turn ${number} for bead ${bead} is a document, and the request asks for none (response_format)`)
  if (turn) return { turn, number }
  if (turns[played - 1]?.document && formTool)
    return { turn: number, say: 'The document is submitted.', calls: [], step: '' }
  return refuse(`scenario "${scenario}" has only ${turns.length} turns for attempt ${attempt} at bead ${bead}`)
}

/**
 * Whether the request comes from an agent's command line rather than from the built-in agent, whose tools have other
 * names. A command line's last message is its document; the built-in agent asks for it separately, or has a tool for
 * it.
 */
const isCommandLine = ({ tools }: ScriptedRequest): boolean =>
  tools.length > 0 && !tools.some(({ name }) => name === 'read_file')

/**
 * Whether this turn is the built-in reviewer's word that it has seen enough, before it is asked for its review. A
 * command line would end with it.
 */
function isLookedThrough(turns: readonly Turn[], played: number): boolean {
  const [turn, next] = turns.slice(played)
  return Boolean(turn && !turn.calls && !turn.document && !turn.fail && next && (next.document || submitIn(next)))
}

/** Claude Code takes a document (`--json-schema`) as the arguments of a tool. */
const isFormTool = ({ name }: { name: string }): boolean => name === 'StructuredOutput'

function fillIn(turn: Turn, number: number, who: GatewayCaller, request: ScriptedRequest): Next {
  const fill = (text: string) => text.replaceAll('{{bead}}', who.bead).replaceAll('{{attempt}}', String(who.attempt))
  const submitted = isCommandLine(request) ? submitIn(turn) : undefined
  const document = turn.document ?? submitted?.arguments
  const formTool = request.form ? undefined : request.tools.find(isFormTool)
  const asked = document && formTool ? [{ tool: formTool.name, arguments: document }] : []
  const folder = folderIn(request.entries)
  const calls: GivenCall[] = []
  for (const call of [...(turn.calls ?? []).filter((made) => made !== submitted), ...asked]) {
    const filled = { ...call, arguments: JSON.parse(fill(JSON.stringify(call.arguments))) as Record<string, unknown> }
    const given = translateCall(filled, request.tools, folder)
    if ('problem' in given) return refuse(given.problem)
    calls.push(given)
  }
  const say = fill(document && !formTool ? JSON.stringify(document) : (turn.say ?? ''))
  return { turn: number, say, calls, step: '' }
}

/** The built-in agent's tools for a document, used when a script's model has no structured output. */
const submitIn = ({ calls = [] }: Turn) => calls.find(({ tool }) => tool === 'submit_review' || tool === 'submit_plan')

/** Answers a call that is not about the work: in the form that it asks for, and never with a turn of the script. */
export function beside({ form }: ScriptedRequest, played: number): Answer {
  const say = form
    ? JSON.stringify(filler('', { type: 'object', ...form.schema }))
    : `Scripted session ${progressMark(played)}`
  return { turn: played + 1, say, calls: [], step: 'beside' }
}

/** Each API has its own names for kinds of errors. */
function failure(dialect: Dialect, { status, message: text }: { status: number; message: string }): Problem {
  const usual = problem(status, 'scripted_failure', text)
  if (dialect !== 'messages' || status < 500) return usual
  return { ...usual, type: status === 529 ? 'overloaded_error' : 'api_error' }
}
