import { setTimeout as delay } from 'node:timers/promises'
import type { SoakStage } from './soak-stage.ts'

/**
 * What can be done to a stage. `begin` does it, and returns what makes it good again, or null when it is over at once or
 * could not be done now. `sigkills`: it ends something with SIGKILL. `lasts`: how long it is held, in milliseconds.
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

export type Healing = 'over' | 'not now' | (() => Promise<void>)

/** False: what it was to be done to has gone. */
export function tried(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** For so long, chosen by chance. */
export const pauseOf = ([least, most]: [number, number], random: () => number): Promise<void> =>
  delay(least + random() * (most - least))
