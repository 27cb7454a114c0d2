import { type EngineAddress, nameOf } from './address.ts'
import type { Asked, Choice } from './choose-engine.ts'

/** Remembers the engine of this server's containers. */
export type EngineMemory = {
  /** The last place given to `note`; null: there was none. */
  last: () => string | null
  /** Whether any container of that engine has not been removed yet. */
  isNeeded: () => boolean
  /** Notes that a container was opened there. */
  note: (place: string) => void
}

const kinds: readonly EngineAddress['kind'][] = ['unix', 'tcp', 'ssh']

export const placeOf = (address: EngineAddress): string => JSON.stringify(address)

/** The engine that still has containers of this server; null: there is none, or it was not noted. */
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

/** Whether somebody has named an engine to this server: then that one is meant, whatever another one has. */
const isNamed = ({ host, context }: Asked): boolean => host !== null || context?.from === 'DOCKER_CONTEXT'

/**
 * Chooses while containers of this server are on the engine that was used before. Unless another engine was named to
 * this server, the earlier one stays chosen, even while it is away: the containers are nowhere else.
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
