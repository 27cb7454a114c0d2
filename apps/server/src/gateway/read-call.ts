import type { IncomingMessage } from 'node:http'
import type { CallPart } from '@beadloom/core/context/context-gauge.ts'
import { agentNamePattern } from '@beadloom/core/agents/named/agent-definition.ts'
import { AGENT_HEADER } from '@beadloom/core/agents/step-header.ts'
import { passedHeaders } from '@beadloom/core/gateway/pass-request.ts'
import type { GatewayCaller } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import { limited } from '../process/within.ts'
import type { Admitted } from './admission.ts'
import type { Asked, Call, ReadCall } from './call.ts'
import { partOf } from './call-part.ts'
import type { GatewayBounds } from './bounds.ts'
import type { ModelRouting } from './model-routing.ts'
import { bodyTooSlow, notPassedOn, type Problem } from './problem.ts'
import { readBody, type RequestBody } from './request-body.ts'
import type { Route } from './route.ts'
import { SCRIPTED } from './scripted/scripted.ts'
import { notCounted, type StepCalls } from './step-calls.ts'
import { shapedRequest } from './upstream/shaped-request.ts'

type Arrived = { route: Extract<Route, { to: 'model' }>; request: IncomingMessage; admitted: Admitted }
type Reader = { bounds: GatewayBounds; clock: Clock; routing: ModelRouting; steps: StepCalls }

/**
 * Reads a request to a model, and finds what answers it: an endpoint, or the script of its bead. A function of its own,
 * so only the call itself stays in memory while a model thinks.
 */
export async function readCall(
  asked: Asked,
  { route, request, admitted }: Arrived,
  { bounds, clock, routing, steps }: Reader,
): Promise<{ call: Call } | { script: ReadCall } | { failed: Problem }> {
  const { who, signal } = asked
  const { headers } = request
  const limit = { clock, ms: bounds.bodyMs, or: signal, reason: () => bodyTooSlow(bounds.bodyMs) }
  const read = await limited(limit, (either) => readBody(request, bounds, either))
  if ('failed' in read) return read
  admitted.shrinkTo(read.bytes.byteLength)
  const { dialect, path } = route
  const isScripted = routing.defaultOf(who.model) === SCRIPTED
  const wish = read.value('model')
  const [part, agent] = [partOf(read, headers), agentIn(headers)]
  // Only a sub-agent asks for a model by name: the agent's own may have the same name, and a person may change that.
  const reroute = () =>
    routing.route(
      { model: who.model, models: agent === '' ? [] : (who.models ?? []), hosted: who.hosted },
      dialect,
      wish,
    )
  const target = isScripted ? null : reroute()
  if (target && 'failed' in target) {
    if (target.refused) who.tell({ type: 'kept_back', dropped: [], refused: target.refused })
    return { failed: target.failed }
  }
  const passed = passedOn(asked, { route, request }, read, target?.model ?? null)
  if ('failed' in passed) return passed
  const { body } = passed
  const streaming = read.value('stream') === true
  const hand = dialect !== 'count' && isOwnStep(who, part, agent) ? { cut: null } : null
  const delegated = isDelegated(headers)
  const call = { ...asked, dialect, streaming, part, agent, delegated, hand, body }
  if (target === null) return { script: call }
  const step = dialect === 'count' ? notCounted : steps.of(who.session, headers, body)
  return { call: { ...call, ...target, reroute, path, headers: passed.headers, forget: admitted.forget, step } }
}

/** Whether it is a step of the agent itself, which may be cut off and told something. */
function isOwnStep({ commandLine }: GatewayCaller, part: CallPart, agent: string): boolean {
  if (agent !== '') return false
  const hasTools = part === 'work' || part === 'anew'
  if (hasTools && commandLine) commandLine.usesTools = true
  return hasTools || (part === 'beside' && commandLine?.usesTools === false)
}

/** Reduces a request to the parts that its endpoint gets, and reports the rest. */
function passedOn(
  { who }: Asked,
  { route: { dialect, dropped }, request }: Pick<Arrived, 'route' | 'request'>,
  read: RequestBody,
  model: string | null,
): { body: Buffer; headers: Record<string, string> } | { failed: Problem } {
  const shaped = shapedRequest(dialect, read, { model, open: who.hosted })
  const { refused } = shaped
  const { headers, dropped: left } = passedHeaders(dialect, request.headers, who.hosted)
  who.tell({ type: 'kept_back', dropped: [...new Set([...dropped, ...left, ...shaped.dropped])], refused })
  return refused ? { failed: notPassedOn(refused) } : { body: shaped.body, headers }
}

function agentIn(headers: IncomingMessage['headers']): string {
  const agent = headers[AGENT_HEADER]
  return typeof agent === 'string' && agentNamePattern.test(agent) ? agent : ''
}

/** The headers by which opencode and Codex name a sub-agent's call. Codex names its own summaries there, too. */
const isDelegated = ({
  'x-parent-session-id': ofOpencode,
  'x-openai-subagent': ofCodex = 'compact',
}: IncomingMessage['headers']): boolean => ofOpencode !== undefined || ofCodex !== 'compact'
