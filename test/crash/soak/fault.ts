import { setTimeout as delay } from 'node:timers/promises'
import type { SoakStage } from './soak-stage.ts'

/**
 * A harm to a stage. `begin` causes it and returns how to heal it. `sigkills`: it kills something with SIGKILL.
 * `lasts`: its duration in milliseconds.
 */
export type Fault = {
  name: string
  /** Its share among all faults. */
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

/** Thrown if the server reacted to a fault in the wrong way; other errors mean that the fault was not possible now. */
export class Wrong extends Error {}

/** `over`: it is over at once; `not now`: it was not possible. */
export type Healing = 'over' | 'not now' | (() => Promise<void>)

/** False if the process is gone. */
export function tried(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

const LOOK_MS = 5

/** Polls until it holds; false if it did not hold within `ms`. */
export async function holdsWithin(ms: number, holds: () => boolean): Promise<boolean> {
  const limit = performance.now() + ms
  while (!holds()) {
    if (performance.now() >= limit) return false
    await delay(LOOK_MS)
  }
  return true
}

/** Resolves after a random time between the two. */
export const pauseOf = ([least, most]: [number, number], random: () => number): Promise<void> =>
  delay(least + random() * (most - least))
