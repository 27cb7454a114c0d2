import { setTimeout as delay } from 'node:timers/promises'
import type { SoakStage } from './soak-stage.ts'

/**
 * A harm that can be done to a stage. `begin` does it, and tells how it is made good again. `sigkills`: it ends something
 * with SIGKILL. `lasts`: how long it is held, in milliseconds.
 */
export type Fault = {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  sigkills?: true
  /** The server ends, or may end. */
  endsServer?: true
  /** The server is not killed meanwhile. */
  alone?: true
  lasts?: [number, number]
  needs?: 'own engine' | 'memory group'
  begin(stage: SoakStage, random: () => number): Promise<Healing>
}

/** Thrown by a fault that the server has not taken as it has to; other errors say that it could not be done now. */
export class Wrong extends Error {}

/** `over`: it is over at once; `not now`: it could not be done. */
export type Healing = 'over' | 'not now' | (() => Promise<void>)

/** False: the process that was meant has gone. */
export function tried(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

const LOOK_MS = 5

/** Looks again and again; false: it did not hold within `ms`. */
export async function holdsWithin(ms: number, holds: () => boolean): Promise<boolean> {
  const limit = performance.now() + ms
  while (!holds()) {
    if (performance.now() >= limit) return false
    await delay(LOOK_MS)
  }
  return true
}

/** For so long, chosen by chance. */
export const pauseOf = ([least, most]: [number, number], random: () => number): Promise<void> =>
  delay(least + random() * (most - least))
