import { type EngineAddress, nameOf } from './address.ts'
import type { Asked, Choice } from './choose-engine.ts'

/** What is known from before of where this server's containers are. */
export type EngineMemory = {
  /** As `note` was told it; null: there was none. */
  last: () => string | null
  /** Whether any container of that engine has not been removed yet. */
  isNeeded: () => boolean
  /** A container was opened there. */
  note: (place: string) => void
}

const kinds: readonly EngineAddress['kind'][] = ['unix', 'tcp', 'ssh']

export const placeOf = (address: EngineAddress): string => JSON.stringify(address)

/** The engine that still has containers of this server; null: there is none, or nobody has noted it. */
export function engineBefore({ last, isNeeded }: EngineMemory): EngineAddress | null {
  const place = isNeeded() ? last() : null
  if (place === null) return null
  try {
    const address = JSON.parse(place) as EngineAddress
    return kinds.includes(address.kind) ? address : null // a newer server may know more kinds
  } catch {
    return null
  }
}

/** Somebody who names an engine to this server means that one, whatever is on another. */
const isNamed = ({ host, context }: Asked): boolean => host !== null || context?.from === 'DOCKER_CONTEXT'

/**
 * What becomes of a choice while containers of this server are on the engine that was used before. Where nobody named
 * another one to this server, that engine stays the chosen one, also while it is away: they are nowhere else.
 *
 * @param choose the usual choice, which may throw
 */
export function withEngineBefore(before: EngineAddress, asked: Asked, choose: () => Choice): Choice {
  if (isNamed(asked)) {
    const choice = choose()
    return isSame(choice.address, before) ? choice : { ...choice, others: [...choice.others, leftOn(before)] }
  }
  const usual = orError(choose)
  if (!(usual instanceof Error) && isSame(usual.address, before)) return usual
  return {
    address: before,
    why: 'containers of this server are still on it',
    others: usual instanceof Error ? [] : [`the next start without any takes ${nameOf(usual.address)} (${usual.why})`],
    change: 'set DOCKER_HOST to where another one listens',
    weaker: [],
  }
}

const isSame = (one: EngineAddress, other: EngineAddress): boolean => placeOf(one) === placeOf(other)

const leftOn = (before: EngineAddress): string =>
  `containers of this server were opened at ${nameOf(before)}; if that is another engine, they stay there unattended: set DOCKER_HOST to it until the System page lists none`

function orError(choose: () => Choice): Choice | Error {
  try {
    return choose()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
