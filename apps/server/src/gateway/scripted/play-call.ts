import { callWithMessages } from '../call-with-messages.ts'
import { untilMayCall } from '../held-call.ts'
import type { CallDeps, ReadCall } from '../call.ts'
import { STOPPED, stoppedByPerson, type Problem } from '../problem.ts'
import { endKeptAlive, isKeptAlive } from '../upstream/keep-alive.ts'
import type { Relayed } from '../upstream/relay.ts'
import { playScripted } from './scripted.ts'

/** Answers a call from its bead's script, within its budget; its tokens are counted once. */
export async function playCall(call: ReadCall, scenariosFolder: string, deps: CallDeps): Promise<Relayed> {
  const failed = await play(call, scenariosFolder, deps)
  if (failed === null) return { failed, answered: true }
  if (!isKeptAlive(call.response)) return { failed, answered: false }
  endKeptAlive(call, failed)
  return { failed, answered: true }
}

async function play(call: ReadCall, scenariosFolder: string, deps: CallDeps): Promise<Problem | null> {
  for (;;) {
    const failed = await playOnce(call, scenariosFolder, deps)
    if (failed?.code !== STOPPED) return failed
  }
}

async function playOnce(call: ReadCall, scenariosFolder: string, deps: CallDeps): Promise<Problem | null> {
  const { who, dialect, response, part, agent, hand } = call
  const stop = new AbortController()
  const signal = AbortSignal.any([call.signal, stop.signal])
  const refused = await untilMayCall(call, deps)
  if (refused) return refused
  // A sub-agent has a script of its own, like a reviewer. Its claim decides nothing else.
  const named = agent === '' ? who : { ...who, bead: `${agent}:${who.bead}` }
  const { body, placed } = callWithMessages(call)
  const asked = JSON.parse(body.toString('utf8')) as Record<string, unknown>
  if (hand) {
    hand.cut = () => stop.abort(stoppedByPerson)
    who.turn?.answering()
  }
  const how = { scenariosFolder, clock: deps.clock }
  const played = await playScripted(named, dialect, asked, response, signal, how)
  if ('failed' in played) return played.failed
  if (placed.length > 0) who.messages?.delivered(placed)
  if (played.usage) who.tell({ type: 'used', usage: { ...played.usage, part, agent } })
  return null
}
