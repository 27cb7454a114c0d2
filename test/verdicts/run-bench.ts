import { createHash } from 'node:crypto'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { parseBeadId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { World } from '../support/world.ts'
import { play, reset, type Verdict } from './play.ts'
import type { Bench } from './repository.ts'
import type { Trial } from './trials.ts'

export type Running = {
  world: World
  commit: string
  /** False: begin no more trials. */
  goesOn: () => boolean
  done: (verdict: Verdict) => void
  say: (text: string) => void
}

/** Whether the trial goes the whole way, with an agent: one in ten, always the same ones. */
export const isWhole = ({ id }: Trial): boolean => (createHash('sha256').update(id).digest()[0] ?? 0) % 10 === 0

/**
 * Tries everything on one repository, one after the other. Passing work is merged; the work branch is then reset at
 * once, so each trial meets the same base.
 */
export async function runBench(
  { world, commit, goesOn, done, say }: Running,
  bench: Bench,
  trials: readonly Trial[],
): Promise<void> {
  const beads = new FreeBeads(world, bench.id)
  for (const trial of trials) {
    if (!goesOn()) return
    try {
      const bead = beads.next(trial.exercise.name)
      const verdict = await play(world, { trial, bench, bead, whole: isWhole(trial) }, commit)
      done(verdict)
      if (verdict.result.state === 'COMPLETED') reset(world, bench)
    } catch (error) {
      say(`${trial.id}: ${messageOf(error)}`)
    }
  }
}

/** Beads without any trial yet. */
class FreeBeads {
  readonly #world: World
  readonly #project: string
  readonly #used = new Map<string, number>()

  constructor(world: World, project: string) {
    this.#world = world
    this.#project = project
  }

  next(exercise: string): string {
    const { store } = this.#world.server
    const project = parseProjectId(this.#project)
    for (let at = (this.#used.get(exercise) ?? 0) + 1; ; at++) {
      this.#used.set(exercise, at)
      const bead = parseBeadId(`${exercise}-${at}`)
      if (!store.bead(project, bead)) throw new Error(`the beads of ${exercise} are used up`)
      if (store.executions({ project, bead, limit: 1 }).length === 0) return bead
    }
  }
}
