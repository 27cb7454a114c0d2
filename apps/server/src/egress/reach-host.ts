import { connect, isIP, type Socket } from 'node:net'
import { domainToASCII } from 'node:url'
import { allows, type AllowRule } from '@beadloom/core/egress/allow-rule.ts'
import { looksLikeAddress, plainHost } from '@beadloom/core/egress/host-name.ts'
import type { EgressOutcome } from '@beadloom/core/egress/ledger.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { Clock } from '../process/clock.ts'
import { limited } from '../process/within.ts'
import type { EgressBounds } from './egress-bounds.ts'
import type { ResolveName } from './resolve-name.ts'

export type Reaching = {
  rules: readonly AllowRule[]
  resolve: ResolveName
  /** Whether an address is on the internet and not of this machine. */
  isPublic: (address: string) => boolean
  bounds: EgressBounds
  clock: Clock
}

/** `host`: for the ledger; '' if it is no name. `status`: the answer's. */
export type Unreached = {
  host: string
  port: number
  outcome: Exclude<EgressOutcome, 'reached'>
  status: 403 | 502 | 504
  text: string
}
export type Reached = { host: string; port: number; outcome: 'reached'; socket: Socket }

const LONGEST = 253
const MOST_ADDRESSES = 4

/**
 * Connects to a host by its name, if the list allows that. The name is resolved once, here, and the connection goes to
 * the very address that was checked: if the name resolves to another one a moment later, nothing changes.
 */
export async function reachHost(
  { rules, resolve, isPublic, bounds, clock }: Reaching,
  name: string,
  port: number,
  gone: AbortSignal,
): Promise<Reached | Unreached> {
  const host = plainHost(domainToASCII(name))
  if (host === null) return noName(name, port, isPublic)
  const at = { host, port }
  if (!allows(rules, host, port)) {
    const text = `${host}:${port} is not allowed: "network.allow" in beadloom.json does not have it`
    return { ...at, outcome: 'refused', status: 403, text }
  }
  try {
    const found = await limited({ clock, ms: bounds.resolveMs, or: gone }, (signal) => resolve(host, signal))
    if (found.length === 0) return { ...at, outcome: 'failed', status: 502, text: `${host} has no address` }
    const open = found.filter((address) => isIP(address) !== 0 && isPublic(address))
    if (open.length === 0) {
      const text = `${host} has an address of a private network or of this machine, which is never reached`
      return { ...at, outcome: 'private', status: 403, text }
    }
    return await firstOf(open.slice(0, MOST_ADDRESSES), at, { bounds, clock, gone })
  } catch (error) {
    return { ...at, outcome: 'failed', status: 502, text: `${host} could not be resolved: ${messageOf(error)}` }
  }
}

async function firstOf(
  addresses: readonly string[],
  at: { host: string; port: number },
  { bounds, clock, gone }: Pick<Reaching, 'bounds' | 'clock'> & { gone: AbortSignal },
): Promise<Reached | Unreached> {
  let why = ''
  for (const address of addresses) {
    try {
      const connecting = (signal: AbortSignal) => connected(address, at.port, signal)
      const socket = await limited({ clock, ms: bounds.connectMs, or: gone }, connecting)
      return { ...at, outcome: 'reached', socket }
    } catch (error) {
      why = messageOf(error)
      if (gone.aborted) break
    }
  }
  return { ...at, outcome: 'failed', status: 504, text: `${at.host}:${at.port} could not be reached: ${why}` }
}

function connected(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true })
    const settle = (act: () => void) => () => {
      signal.removeEventListener('abort', late)
      act()
    }
    const late = (): void => {
      socket.destroy()
      reject(new Error('it took too long'))
    }
    signal.addEventListener('abort', late, { once: true })
    socket.once(
      'connect',
      settle(() => resolve(socket)),
    )
    socket.on('error', (error) => settle(() => reject(error))()) // stays: 'close' follows and is what counts later
  })
}

/** Notes an address, so people see what was tried; anything else that is no name is not noted. */
function noName(name: string, port: number, isPublic: (address: string) => boolean): Unreached {
  const address = name.replace(/^\[|\]$/g, '')
  const isAddress = isIP(address) !== 0
  const text = looksLikeAddress(name)
    ? 'Addresses are never reached: ask for a host by its name'
    : 'What was asked for is not the name of a host'
  const outcome = isAddress && !isPublic(address) ? 'private' : 'refused'
  return { host: isAddress ? address.slice(0, LONGEST) : '', port: isAddress ? port : 0, outcome, status: 403, text }
}
