import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OpenedTools } from '@beadloom/core/gateway/hosted-tools.ts'
import type { Gateway, GatewayCaller } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import type { WaitingCooldowns } from '../ports/store/cooldowns.ts'
import { Admission } from './admission.ts'
import { CountCalls } from './count-calls.ts'
import type { Asked, Call, CallDeps, GatewayLog, ReadCall } from './call.ts'
import { CallTime } from './call-time.ts'
import { ModelRouting, type Upstreams } from './model-routing.ts'
import { modelChecks } from './model-checks.ts'
import { maskText } from './key-mask.ts'
import { defaultGatewayBounds, type GatewayBounds } from './bounds.ts'
import { Cooldowns, forgetful } from './upstream/cooldown.ts'
import * as problems from './problem.ts'
import type { Problem } from './problem.ts'
import { relay, type Relayed } from './upstream/relay.ts'
import { WholeAnswers } from './upstream/whole-answers.ts'
import { readCall } from './read-call.ts'
import { routeOf } from './route.ts'
import { playCall } from './scripted/play-call.ts'
import { SCRIPTED, SCRIPTED_NOTE, sendJson } from './scripted/scripted.ts'
import { StepCalls } from './step-calls.ts'
import { sendProblem } from './send-problem.ts'

export type GatewayOptions = Upstreams & {
  /** Absolute path of the folder with the scenario files. */
  scenariosFolder: string
  clock: Clock
  /** In [0, 1): the jitter of waits. */
  random: () => number
  log: GatewayLog
  /** Absent: every tool of an endpoint is closed. */
  hostedTools?: OpenedTools
  /** Absent: cooldowns end with the server. */
  cooldowns?: WaitingCooldowns
  bounds?: Partial<GatewayBounds>
}

/** Throws `InvalidInput` for an invalid address or key; the message names the variable, never the key. */
export function createGateway(options: GatewayOptions): Gateway {
  const { scenariosFolder, clock, random, log, hostedTools = {} } = options
  const bounds = { ...defaultGatewayBounds, ...options.bounds }
  const cooldowns = new Cooldowns(clock, options.cooldowns ?? forgetful, bounds.longestCooldownMs, (error) =>
    log.error({ error }, "a model's cooldown could not be stored"),
  )
  const deps: CallDeps = { clock, random, bounds, log, cooldowns, answers: new WholeAnswers(bounds) }
  const routing = new ModelRouting(options)
  const admission = new Admission(clock, bounds)
  const counts = new CountCalls(bounds.countsPerAnswer)
  const reader = { bounds, clock, routing, steps: new StepCalls(bounds.callsPerStep) }

  /** Null once the caller has been answered. */
  async function answer(asked: Asked, request: IncomingMessage): Promise<Problem | null> {
    const { who, response, signal } = asked
    const route = routeOf(request.method, request.url)
    if (route.to === 'nowhere') return problems.problem(route.status, 'not_served', `the request ${route.why}`)
    if (route.to === 'models') {
      sendJson(response, modelList(routing.defaultOf(who.model)))
      return null
    }
    const limit = who.usedUp()
    if (limit) {
      who.tell({ type: 'over_limit', limit })
      return problems.budgetExhausted(limit)
    }
    const isCount = route.dialect === 'count'
    if (isCount && !counts.enter(who.session)) return problems.tooManyCounts(bounds.countsPerAnswer)
    const admitted = await admission.enter(who, request, signal)
    if ('failed' in admitted) return admitted.failed
    try {
      const read = await readCall(asked, { route, request, admitted }, reader)
      if ('failed' in read) return read.failed
      const { failed, answered } = await inHand(read)
      if (failed && answered) tell(who, failed)
      if (!failed && !isCount) counts.answered(who.session)
      return answered ? null : failed
    } finally {
      admitted.leave()
    }
  }

  async function inHand(read: { call: Call } | { script: ReadCall }): Promise<Relayed> {
    const { who, hand } = 'script' in read ? read.script : read.call
    if (hand) who.turn?.begin(hand)
    try {
      return 'script' in read ? await playCall(read.script, scenariosFolder, deps) : await relay(read.call, deps)
    } finally {
      if (hand) who.turn?.over(hand)
    }
  }

  /** Problems go to people as well as to the agent, except when the caller hung up. */
  function tell(who: GatewayCaller, failed: Problem): void {
    if (failed.code === problems.callerGone.code) return
    // It was never made, and there may be thousands: no line in the log, and no unanswered call of the agent.
    if (failed.code === 'gateway_busy') return
    if (failed.code === problems.NOT_PASSED_ON) return // reported by name, once
    if (failed.code === problems.STOPPED) return // people have done it
    log.warn({ session: who.session, status: failed.status, code: failed.code }, failed.message)
    who.tell({ type: 'problem', text: failed.message, trouble: problems.troubleOf(failed) })
  }

  async function handle(who: GatewayCaller, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const stop = new AbortController()
    const time = new CallTime(clock)
    response.on('close', () => {
      if (!response.writableFinished) stop.abort(problems.callerGone)
    })
    response.on('error', () => stop.abort(problems.callerGone))
    const timeUp = () => stop.abort(problems.totalTimeUp(bounds.totalMs))
    const asked = { who, response, signal: stop.signal, time }
    const failed = await time.within(bounds.totalMs, timeUp, () => answer(asked, request))
    if (!failed) return
    tell(who, failed)
    if (!response.headersSent && response.writable) sendProblem(response, failed)
    else response.destroy()
  }

  return {
    handle(who, request, response) {
      handle(who, request, response).catch((error: unknown) => {
        const trace = error instanceof Error ? (error.stack ?? error.message) : 'no error was thrown'
        const masked = routing.keys.reduce((text, key) => maskText(text, key), trace)
        log.error({ session: who.session, trace: masked }, 'the gateway failed')
        if (response.headersSent) return response.destroy()
        const text = 'the gateway failed; the server log has the details'
        sendProblem(response, problems.problem(500, 'gateway_failed', text))
      })
    },
    ...modelChecks(routing, cooldowns, { scenariosFolder, clock, hostedTools }),
  }
}

function modelList(model: string | null): unknown {
  const entry = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'beadloom' })
  if (model === SCRIPTED) return { object: 'list', data: [{ ...entry(SCRIPTED), note: SCRIPTED_NOTE }] }
  return { object: 'list', data: model ? [entry(model)] : [] }
}
