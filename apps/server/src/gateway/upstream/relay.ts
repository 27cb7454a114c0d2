import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Call, CallDeps } from '../call.ts'
import { KeyMask, maskText } from '../key-mask.ts'
import { endKeptAlive, isKeptAlive } from './keep-alive.ts'
import { garbage, openAnswer, type Opened } from './open-answer.ts'
import { reasonOf, STOPPED, type Problem } from '../problem.ts'
import { problemEvent } from '../send-problem.ts'
import { brokenOff } from './upstream-problem.ts'
import { UsageMeter } from './usage-meter.ts'

/** The end of a call. `answered`: the caller already has status and headers, so no other answer can be sent. */
export type Relayed = { failed: Problem | null; answered: boolean }

const NOTHING = Buffer.alloc(0)

/** Makes one call and passes its answer on; its tokens are counted once. */
export async function relay(call: Call, deps: CallDeps): Promise<Relayed> {
  const limits = { model: call.model, mostValues: deps.bounds.requestValues }
  const meter = new UsageMeter(call.dialect, call.body.length, limits)
  let opened = await openAnswer(call, deps)
  // Nothing of an answer was sent, so the call is made anew: after a pause, and with what the person says.
  while (opened.kind === 'failed' && opened.failed.code === STOPPED && !call.signal.aborted) {
    call.step.notBilled()
    if (opened.spent) report(call, meter)
    opened = await openAnswer(call, deps)
  }
  call.body = NOTHING
  call.forget()
  switch (opened.kind) {
    case 'failed':
      // Otherwise an agent that always hangs up early would never use up its budget.
      if (opened.spent) report(call, meter)
      if (!isKeptAlive(call.response)) return { failed: opened.failed, answered: false }
      endKeptAlive(call, opened.failed)
      return { failed: opened.failed, answered: true }
    case 'whole':
      meter.whole(opened.json)
      report(call, meter)
      call.step.answered()
      return { failed: sendWhole(call, opened.body), answered: true }
    case 'stream':
      return { failed: await sendStream(call, opened, meter), answered: true }
  }
}

function report(call: Call, meter: UsageMeter): void {
  if (call.dialect === 'count') return // counting tokens costs none
  const { model, part, agent } = call
  call.who.tell({ type: 'used', usage: { model, part, agent, ...meter.read() } })
}

function sendWhole(call: Call, body: Buffer): Problem | null {
  const { response, endpoint, streaming } = call
  if (isKeptAlive(response) && streaming) return failKeptAlive(call)
  const mask = new KeyMask(endpoint.key)
  const masked = Buffer.concat([mask.push(body), mask.end()])
  const headers = {
    'content-type': 'application/json',
    'content-length': masked.byteLength,
    'cache-control': 'no-store',
  }
  if (!isKeptAlive(response)) response.writeHead(200, headers)
  response.end(masked)
  return null
}

/** Ends an answer whose form differs from the one that the caller was promised while it was kept alive. */
function failKeptAlive(call: Call): Problem {
  const failed = garbage(call, 200)
  endKeptAlive(call, failed)
  return failed
}

async function sendStream(
  call: Call,
  { first, source, stop }: Extract<Opened, { kind: 'stream' }>,
  meter: UsageMeter,
): Promise<Problem | null> {
  const { response, signal, endpoint, streaming } = call
  if (isKeptAlive(response) && !streaming) {
    const failed = failKeptAlive(call)
    stop.abort(failed)
    return failed
  }
  const mask = new KeyMask(endpoint.key)
  if (!isKeptAlive(response))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  let end = ''
  try {
    for (let chunk: Buffer | null = first; chunk; chunk = await source.next()) {
      end = (end + chunk.toString('latin1', Math.max(0, chunk.byteLength - 4))).slice(-4)
      try {
        await write(response, mask.push(chunk), signal)
      } finally {
        meter.feed(chunk) // after the write, to delay nothing
      }
    }
    response.end(mask.end())
    const judgement = lastJudgement(call, meter)
    if (judgement === null) call.step.answered()
    return judgement
  } catch (error) {
    const failed = failureOf(call, stop.signal, error)
    stop.abort(failed)
    endBroken(call, failed, /\n\r?\n$/.test(end))
    return failed
  } finally {
    report(call, meter)
  }
}

/**
 * Writes, and waits for a caller that is slower than the endpoint. When it resolves, the bytes have left this process.
 */
async function write(response: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  if (bytes.byteLength > 0 && !response.write(bytes)) await once(response, 'drain', { signal })
  else await new Promise<void>(process.nextTick) // Node holds written bytes back until then
}

function failureOf(call: Call, stopped: AbortSignal, error: unknown): Problem {
  if (call.signal.aborted) return reasonOf(call.signal)
  if (stopped.aborted) {
    const why = reasonOf(stopped)
    if (why.code === STOPPED) call.step.notBilled()
    else call.step.broke(why.message)
    return why
  }
  const broken = brokenOff(call.endpoint, error)
  call.step.broke(broken.message)
  const { calls, most } = call.step
  return { ...broken, message: `${broken.message} (call ${calls} of at most ${most} for this step)` }
}

/**
 * Ends a broken stream. A stream that was stopped for good ends with the reason, if that can still be read as a
 * separate event. A stream that only broke off is cut: agents ask again after a lost connection, but not after an error
 * event.
 */
function endBroken({ response, dialect }: Call, failed: Problem, betweenEvents: boolean): void {
  if (betweenEvents && !failed.transient && response.writable) response.end(problemEvent(dialect, failed))
  else response.destroy()
}

/** Tells people about an answer that was an error or empty; its bytes have been passed on already. */
function lastJudgement(call: Call, meter: UsageMeter): Problem | null {
  if (meter.error) {
    const said = maskText(meter.error, call.endpoint.key).slice(0, 2000)
    const message = `the model endpoint ${call.endpoint.where} ended its answer with an error: ${said}`
    return { ...garbage(call, 200), code: 'model_failed', message }
  }
  return meter.events === 0 ? garbage(call, 200) : null
}
