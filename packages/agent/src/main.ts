import { agentExit, GATE, LINK_PORT, LINK_URL } from '@beadloom/core/execution/session-order.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { askForSession } from './session/ask-for-session.ts'
import { parseOrder } from './session/order-schema.ts'
import { NoLink } from './ends/no-link.ts'
import { EventWriter } from './output/event-writer.ts'
import { systemClock } from './process/clock.ts'
import { passGate } from './process/gate.ts'
import { openSink } from './process/stdout-sink.ts'
import { failedOf, runSession, type Result } from './session/run-session.ts'
import { proxyEnv } from './commands/proxy-env.ts'
import { sessionEnv } from './commands/session-env.ts'
import { SessionFailure } from './ends/session-failure.ts'

/** 128 + SIGTERM, as a shell would say it. */
const STOPPED = 143
/** The container gets SIGKILL 10 s after SIGTERM; output not written by then is lost. */
const STOP_LIMIT_MS = 5000

const { [LINK_URL]: linkUrl = `http://127.0.0.1:${LINK_PORT}`, [GATE]: _gate, ...imageEnv } = process.env

async function run(told: string | null): Promise<number> {
  const writer = new EventWriter(openSink(1), systemClock)
  const stopper = new AbortController()
  process.on('SIGTERM', () => {
    stopper.abort()
    setTimeout(() => process.exit(STOPPED), STOP_LIMIT_MS).unref()
  })
  const code = await session(writer, told, stopper.signal)
  await writer.finish()
  return stopper.signal.aborted ? STOPPED : code
}

/**
 * Writes the session's `result`. Without a link, or after a bug of ours, it writes none: nothing can be claimed then.
 */
async function session(writer: EventWriter, told: string | null, stop: AbortSignal): Promise<number> {
  try {
    const result = await resultOf(writer, told, stop)
    await writer.write({ type: 'result', ...result })
    return result.outcome === 'success' ? agentExit.success : agentExit.failed
  } catch (error) {
    const noLink = error instanceof NoLink
    const text = messageOf(error)
    await writer.write({ type: 'warning', text: noLink ? text : `the agent process failed: ${text}` })
    if (!noLink) console.error(error) // the stack is for us; stderr is recorded as raw output
    return noLink ? agentExit.noLink : agentExit.crashed
  }
}

async function resultOf(writer: EventWriter, told: string | null, stop: AbortSignal): Promise<Result> {
  const clock = systemClock
  try {
    const order = told === null ? await askForSession(linkUrl, clock, stop) : parseOrder(told)
    const model = 'agent' in order.work ? order.work.agent.model : null
    const own = sessionEnv({ ...imageEnv, ...order.env }, linkUrl, model)
    const env = { ...own, ...(order.proxied && proxyEnv(imageEnv)) }
    return await runSession({ order, writer, clock, env, linkUrl, stop })
  } catch (error) {
    if (error instanceof SessionFailure) return failedOf(error)
    throw error
  }
}

process.on('unhandledRejection', (error) => {
  console.error(error)
  process.exit(agentExit.crashed)
})
const passed = passGate(process.env)
process.exit(passed ? await run(passed.order) : agentExit.noLink)
