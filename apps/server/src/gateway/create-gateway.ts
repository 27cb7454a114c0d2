import type { IncomingMessage, ServerResponse } from 'node:http'
import { agentNamePattern } from '@beadloom/core/agents/named/agent-definition.ts'
import { AGENT_HEADER } from '@beadloom/core/agents/step-header.ts'
import { passedHeaders } from '@beadloom/core/gateway/pass-request.ts'
import { clockTime } from '@beadloom/core/text/clock-time.ts'
import type { Gateway, GatewayCaller, ModelCheck } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import type { Cooldown, WaitingCooldowns } from '../ports/store/cooldowns.ts'
import { Admission, type Admitted } from './admission.ts'
import type { Call, CallDeps, GatewayLog } from './call.ts'
import { partOf } from './call-part.ts'
import { CallTime } from './call-time.ts'
import { ModelRouting, type Upstreams } from './model-routing.ts'
import { maskText } from './key-mask.ts'
import { defaultGatewayLimits, type GatewayLimits } from './limits.ts'
import { Cooldowns, forgetful } from './upstream/cooldown.ts'
import * as problems from './problem.ts'
import type { Problem } from './problem.ts'
import { relay } from './upstream/relay.ts'
import { WholeAnswers } from './upstream/whole-answers.ts'
import { waitForBudget } from './budget-wait.ts'
import { endKeptAlive, isKeptAlive } from './upstream/keep-alive.ts'
import { readBody, type RequestBody } from './request-body.ts'
import { routeOf, type Dialect, type Route } from './route.ts'
import { loadScenario } from './scripted/scenario.ts'
import { shapedRequest } from './upstream/shaped-request.ts'
import { playScripted, SCRIPTED, SCRIPTED_NOTE, sendJson } from './scripted/scripted.ts'
import { notCounted, StepCalls } from './step-calls.ts'
import { sendProblem } from './send-problem.ts'
import { limited } from '../process/within.ts'

export type GatewayOptions = Upstreams & {
  /** Absolute path of the folder with the scenario files. */
  scenariosFolder: string
  clock: Clock
  /** In [0, 1): the jitter of waits. */
  random: () => number
  log: GatewayLog
  /** Absent: cooldowns end with the server. */
  cooldowns?: WaitingCooldowns
  limits?: Partial<GatewayLimits>
}

type Asked = {
  who: GatewayCaller
  route: Extract<Route, { to: 'model' }>
  admitted: Admitted
  request: IncomingMessage
  response: ServerResponse
  signal: AbortSignal
  time: CallTime
}

/** Throws `InvalidInput` for an invalid address or key; the message names the variable, never the key. */
export function createGateway(options: GatewayOptions): Gateway {
  const { scenariosFolder, clock, random, log } = options
  const limits = { ...defaultGatewayLimits, ...options.limits }
  const cooldowns = new Cooldowns(clock, options.cooldowns ?? forgetful, limits.longestCooldownMs, (error) =>
    log.error({ error }, "a model's cooldown could not be stored"),
  )
  const deps: CallDeps = { clock, random, limits, log, cooldowns, answers: new WholeAnswers(limits) }
  const routing = new ModelRouting(options)
  const admission = new Admission(clock, limits)
  const steps = new StepCalls(limits.callsPerStep)

  /** Null: the project names no model and the server has no default. */
  const defaultModel = (who: GatewayCaller) => who.model ?? options.upstream?.model ?? null

  const cooldownOf = (wish: string | null): Cooldown | null =>
    (wish ?? options.upstream?.model) === SCRIPTED ? null : routing.cooldown(wish, cooldowns)

  /** Null once the caller has been answered. */
  async function answer(
    who: GatewayCaller,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
    time: CallTime,
  ): Promise<Problem | null> {
    const route = routeOf(request.method, request.url)
    if (route.to === 'nowhere') return problems.problem(route.status, 'not_served', `the request ${route.why}`)
    if (route.to === 'models') {
      sendJson(response, modelList(defaultModel(who)))
      return null
    }
    // If a person is asked, the call is read first and then held.
    const limit = who.waitForBudget === null ? who.usedUp() : null
    if (limit) {
      who.onRefused(limit)
      return problems.budgetExhausted(limit)
    }
    const admitted = await admission.enter(who, request, signal)
    if ('failed' in admitted) return admitted.failed
    try {
      const read = await readCall({ who, route, admitted, request, response, signal, time })
      if (read === null || 'failed' in read) return read?.failed ?? null
      const { failed, answered } = await relay(read.call, deps)
      if (failed && answered) tell(who, failed)
      return answered ? null : failed
    } finally {
      admitted.leave()
    }
  }

  /** A function of its own, so only the call itself stays in memory while a model thinks. Null: it was answered. */
  async function readCall(asked: Asked): Promise<{ call: Call } | { failed: Problem } | null> {
    const { who, route, admitted, request, response, signal, time } = asked
    const limit = { clock, ms: limits.bodyMs, or: signal, reason: () => problems.bodyTooSlow(limits.bodyMs) }
    const read = await limited(limit, (either) => readBody(request, limits, either))
    if ('failed' in read) return read
    admitted.shrinkTo(read.bytes.byteLength)
    const { dialect, path } = route
    const streaming = read.value('stream') === true
    const isScripted = defaultModel(who) === SCRIPTED
    const target = isScripted ? null : routing.route(who, dialect, read.value('model'))
    if (target && 'failed' in target) return target
    const passed = passedOn(asked, read, target?.model ?? null)
    if ('failed' in passed) return passed
    const { body } = passed
    if (target === null) {
      const failed = await playHeld(asked, dialect, { read, body }, streaming)
      if (failed === null || !isKeptAlive(response)) return failed && { failed }
      endKeptAlive({ response, dialect, streaming }, failed)
      tell(who, failed)
      return null
    }
    const { headers } = request
    const { forget } = admitted
    const step = dialect === 'count' ? notCounted : steps.of(who.session, headers, body)
    const part = partOf(read, headers)
    return {
      call: {
        who,
        dialect,
        path,
        ...target,
        part,
        agent: agentIn(headers) ?? '',
        streaming,
        time,
        body,
        forget,
        headers: passed.headers,
        response,
        signal,
        step,
      },
    }
  }

  /** Reduces a request to the parts that its endpoint gets, and reports the rest. */
  function passedOn(
    { who, route: { dialect, dropped }, request }: Asked,
    read: RequestBody,
    model: string | null,
  ): { body: Buffer; headers: Record<string, string> } | { failed: Problem } {
    const shaped = shapedRequest(dialect, read, { model, open: who.hosted })
    const { headers, dropped: left } = passedHeaders(dialect, request.headers, who.hosted)
    who.onKeptBack([...new Set([...dropped, ...left, ...shaped.dropped])], shaped.refused)
    return shaped.refused ? { failed: problems.notPassedOn(shaped.refused) } : { body: shaped.body, headers }
  }

  /** Null once the script has answered. */
  async function playHeld(
    { who, response, signal, time, request: { headers } }: Asked,
    dialect: Dialect,
    { read, body }: { read: RequestBody; body: Buffer },
    streaming: boolean,
  ): Promise<Problem | null> {
    const held = { who, response, streaming, time, signal }
    const refused = dialect === 'count' ? null : await waitForBudget(held, deps)
    if (refused) return refused
    const how = { scenariosFolder, clock }
    const asked = JSON.parse(body.toString('utf8')) as Record<string, unknown>
    const played = await playScripted(asNamed(who, headers), dialect, asked, response, signal, how)
    if ('failed' in played) return played.failed
    if (played.usage) who.onUsage({ ...played.usage, part: partOf(read, headers), agent: agentIn(headers) ?? '' })
    return null
  }

  /** Problems go to people as well as to the agent, except when the caller hung up. */
  function tell(who: GatewayCaller, failed: Problem): void {
    if (failed.code === problems.callerGone.code) return
    // It was never made, and there may be thousands: no line in the log, and no unanswered call of the agent.
    if (failed.code === 'gateway_busy') return
    if (failed.code === problems.NOT_PASSED_ON) return // reported by name, once
    log.warn({ session: who.session, status: failed.status, code: failed.code }, failed.message)
    who.onProblem(failed.message, problems.troubleOf(failed))
  }

  async function handle(who: GatewayCaller, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const stop = new AbortController()
    const time = new CallTime(clock)
    response.on('close', () => {
      if (!response.writableFinished) stop.abort(problems.callerGone)
    })
    response.on('error', () => stop.abort(problems.callerGone))
    const timeUp = () => stop.abort(problems.totalTimeUp(limits.totalMs))
    const failed = await time.within(limits.totalMs, timeUp, () => answer(who, request, response, stop.signal, time))
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
        if (response.headersSent) response.destroy()
        else
          sendProblem(
            response,
            problems.problem(500, 'gateway_failed', 'the gateway failed; the server log has the details'),
          )
      })
    },
    check: async (model, scenario, api = null) => {
      if ((model ?? options.upstream?.model) === SCRIPTED) return await checkScripted(scenariosFolder, scenario)
      const check = { ...routing.check(api, model), note: null }
      const cooldown = cooldownOf(model)
      return cooldown ? { ...check, text: cooldownText(cooldown, clock.now()) } : check
    },
    nameOf: (model) => ((model ?? options.upstream?.model) === SCRIPTED ? SCRIPTED : routing.check('chat', model).name),
    cooldown: cooldownOf,
  }
}

/** Gives a sub-agent a script of its own, like a reviewer's. Its claim decides nothing else. */
function asNamed(who: GatewayCaller, headers: IncomingMessage['headers']): GatewayCaller {
  const agent = agentIn(headers)
  return agent === null ? who : { ...who, bead: `${agent}:${who.bead}` }
}

function agentIn(headers: IncomingMessage['headers']): string | null {
  const agent = headers[AGENT_HEADER]
  return typeof agent === 'string' && agentNamePattern.test(agent) ? agent : null
}

const cooldownText = ({ model, until }: Cooldown, now: number): string =>
  `${model} asks to wait until ${clockTime(until, now)} (too many requests)`

function modelList(model: string | null): unknown {
  const entry = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'beadloom' })
  if (model === SCRIPTED) return { object: 'list', data: [{ ...entry(SCRIPTED), note: SCRIPTED_NOTE }] }
  return { object: 'list', data: model ? [entry(model)] : [] }
}

async function checkScripted(folder: string, scenario: string | null): Promise<ModelCheck> {
  const no = (text: string): ModelCheck => ({ ok: false, name: SCRIPTED, text, note: SCRIPTED_NOTE })
  if (!scenario) return no('the scripted model needs a scenario: set "scenario" in beadloom.json')
  const loaded = await loadScenario(folder, scenario)
  if ('problem' in loaded) return no(loaded.problem)
  return { ok: true, name: SCRIPTED, text: `scenario "${scenario}": ${SCRIPTED_NOTE}`, note: SCRIPTED_NOTE }
}
