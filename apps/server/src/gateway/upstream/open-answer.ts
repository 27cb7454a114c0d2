import { AnswerSource } from './answer-source.ts'
import { decideRetry } from './backoff.ts'
import type { Call, CallDeps } from '../call.ts'
import { Cooldowns } from './cooldown.ts'
import {
  callerGone,
  problem,
  reasonOf,
  seconds,
  STOPPED,
  stepUsedUp,
  stoppedByPerson,
  troubleOf,
  type Problem,
} from '../problem.ts'
import { waitAskedMs } from './rate-limit.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { brokenOff, noConnection, refusal } from './upstream-problem.ts'
import { post, type Reply } from './upstream-reply.ts'
import { callWithMessages } from '../call-with-messages.ts'
import { followChosenModel } from './chosen-model.ts'
import { mayCall, untilMayCall } from '../held-call.ts'
import { waitOutCooldown } from './cooldown-wait.ts'
import { within } from '../../process/within.ts'
import { tooManyAnswerValues } from './whole-answers.ts'

/** An answer before any of it is sent to the caller. `stop` ends the connection to the endpoint. */
export type Opened =
  | { kind: 'stream'; first: Buffer; source: AnswerSource; stop: AbortController }
  | { kind: 'whole'; body: Buffer; json: Record<string, unknown> }
  | Failed

/** `spent`: the endpoint was working when the call ended, so it bills tokens for an answer that nobody gets. */
type Failed = { kind: 'failed'; failed: Problem; spent: boolean }

const fail = (failed: Problem, spent = false): Failed => ({ kind: 'failed', failed, spent })

/** The most of an error's body that is read for its one sentence. */
const ERROR_BYTES = 64 * 1024

/**
 * Calls the endpoint until there is an answer or another call is useless, and waits while its model is cooling down.
 * Never rejects, whatever the endpoint does.
 */
export async function openAnswer(call: Call, deps: CallDeps): Promise<Opened> {
  let cooldowns = 0
  for (let made = 1; ;) {
    const refused = await untilAllowed(call, deps)
    if (refused) return fail(refused)
    if (call.step.isUsedUp) return fail(stepUsedUp(call.step.last, call.step.calls))
    const opened = await callOnce(call, deps)
    if (opened.kind !== 'failed') return opened
    const { failed, spent } = opened
    if (failed.code === STOPPED) return fail(failed, spent)
    call.step.broke(failed.message)
    const decision = decideRetry(deps.bounds, failed, made, deps.random())
    if (decision.do === 'give-up') return fail(lastWord(failed, made), spent)
    if (decision.do === 'cool-down') {
      if (++cooldowns > deps.bounds.cooldowns) return fail(lastWord(failed, cooldowns))
      deps.cooldowns.start(Cooldowns.key(call.model, call.endpoint), decision.forMs, failed.message)
      call.who.tell({ type: 'retried', code: failed.code })
      continue
    }
    made++
    const text = `${failed.message}; trying again in ${seconds(decision.inMs)} (call ${made} of ${deps.bounds.retries + 1})`
    call.who.tell({ type: 'problem', text, trouble: troubleOf(failed) })
    call.who.tell({ type: 'retried', code: failed.code })
    await deps.clock.sleep(decision.inMs, call.signal)
    if (call.signal.aborted) return fail(reasonOf(call.signal))
  }
}

/** Waits until neither a person nor a cooldown holds the call: during a wait for one, the other may begin. */
async function untilAllowed(call: Call, deps: CallDeps): Promise<Problem | null> {
  for (;;) {
    const held = await untilMayCall(call, deps)
    if (held === null) followChosenModel(call)
    const refused = held ?? (await waitOutCooldown(call, deps))
    if (refused) return refused
    if (mayCall(call) && !deps.cooldowns.of(Cooldowns.key(call.model, call.endpoint))) return null
  }
}

const lastWord = (failed: Problem, made: number): Problem =>
  made > 1 ? { ...failed, message: `${failed.message}; gave up after ${made} calls` } : failed

async function callOnce(call: Call, deps: CallDeps): Promise<Opened> {
  const stop = new AbortController()
  const signal = AbortSignal.any([call.signal, stop.signal])
  const { body, placed } = callWithMessages(call)
  let begun = false
  if (call.hand) call.hand.cut = () => stop.abort(stoppedByPerson)
  call.step.begin()
  try {
    const { clock, bounds } = deps
    const firstByteBy = clock.monotonic() + bounds.firstByteMs
    const reply = await within(
      clock,
      bounds.firstByteMs,
      () => stop.abort(noFirstByte(call, bounds.firstByteMs)),
      () => post(call.endpoint.base + call.path, call.endpoint.headers(call.headers), body, signal),
    )
    begun = true
    const source = new AnswerSource(reply.body, (why) => stop.abort(why), deps)
    if (reply.status >= 200 && reply.status < 300) {
      const opened = await readAnswer(call, deps, { reply, source, stop, waitMs: firstByteBy - clock.monotonic() })
      if (opened.kind !== 'failed') {
        if (call.hand) call.who.turn?.answering()
        if (placed.length > 0) call.who.messages?.delivered(placed)
      }
      return opened
    }
    const wait = waitAskedMs(reply.headers, clock.now())
    const text = (await source.rest(ERROR_BYTES)).toString('utf8')
    stop.abort(callerGone) // the rest of an endless error page
    call.step.notBilled()
    return fail(refusal(call.endpoint, call.model, reply.status, text, wait))
  } catch (error) {
    if (signal.aborted) return fail(reasonOf(signal), true)
    if (!begun) call.step.notBilled()
    return fail((begun ? brokenOff : noConnection)(call.endpoint, error))
  }
}

type Reading = { reply: Reply; source: AnswerSource; stop: AbortController; waitMs: number }

async function readAnswer(
  call: Call,
  { answers, bounds }: CallDeps,
  { reply, source, stop, waitMs }: Reading,
): Promise<Opened> {
  const first = await source.next(waitMs) // many send headers at once and then think
  if (!first) {
    const failed = problem(502, 'model_silent', `the model endpoint ${call.endpoint.where} sent an empty answer`)
    return fail({ ...failed, transient: true })
  }
  if (isEventStream(reply.headers['content-type'], first)) return { kind: 'stream', first, source, stop }
  const body = await answers.read(call, source, first, AbortSignal.any([call.signal, stop.signal]))
  return body === null ? fail(tooManyAnswerValues(bounds.requestValues), true) : readWhole(call, reply.status, body)
}

/** Some servers stream under another content type, so the bytes are checked too. */
const isEventStream = (contentType: string | undefined, first: Buffer): boolean =>
  /^\s*text\/event-stream\b/i.test(contentType ?? '') ||
  /^\s*(?:data|event|id|retry)?:/.test(first.subarray(0, 64).toString('latin1'))

function readWhole(call: Call, status: number, body: Buffer): Opened {
  let json: unknown = null
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    // named below
  }
  if (isObject(json) && isObject(json['error'])) {
    // Some routers answer 200 and put the error, with its status as `code`, into the body.
    const code = json['error']['code']
    const meant = typeof code === 'number' && code >= 400 && code < 600 ? code : 502
    const text = body.subarray(0, ERROR_BYTES).toString('utf8')
    return fail(refusal(call.endpoint, call.model, meant, text, null))
  }
  if (isObject(json) && hasAnswer(call, json)) return { kind: 'whole', body, json }
  return fail(garbage(call, status))
}

function hasAnswer({ dialect }: Call, json: Record<string, unknown>): boolean {
  if (dialect === 'chat') return Array.isArray(json['choices'])
  if (dialect === 'responses') return Array.isArray(json['output'])
  return dialect === 'messages' ? Array.isArray(json['content']) : typeof json['input_tokens'] === 'number'
}

export const garbage = (call: Call, status: number): Problem =>
  problem(
    502,
    'model_garbage',
    `the model endpoint ${call.endpoint.where} answered ${status} with something that is not a model's answer: ` +
      `check that ${call.endpoint.variables.url} is the address of an API, not of a web page`,
  )

const noFirstByte = (call: Call, ms: number): Problem =>
  problem(504, 'model_silent', `the model endpoint ${call.endpoint.where} did not answer within ${seconds(ms)}`)
