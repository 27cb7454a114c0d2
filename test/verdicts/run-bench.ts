import { createHash } from 'node:crypto'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { parseBeadId, parseProjectId } from '@beadloom/core/ids.ts'
import type { World } from '../support/world.ts'
import { play, reset, type Verdict } from './play.ts'
import type { Bench } from './repository.ts'
import { isVerdict } from './results.ts'
import { isHonest } from './sabotage.ts'
import type { Trial } from './trials.ts'

export type Running = {
  world: World
  slots: number
  commit: string
  /** False: nothing more is begun. */
  goesOn: () => boolean
  done: (verdict: Verdict) => void
  say: (text: string) => void
}

/** One in ten goes the whole way, with an agent: always the same ones. */
export const isWhole = ({ id }: Trial): boolean => (createHash('sha256').update(id).digest()[0] ?? 0) % 10 === 0

/**
 * Tries everything on one repository. Honest work comes last and kind by kind, as what passes is merged; the work branch is
 * put back before the next kind, and at once where something passed that should not have.
 */
export async function runBench(running: Running, bench: Bench, trials: readonly Trial[]): Promise<void> {
  const { world } = running
  const cheats = trials.filter(({ kind }) => !isHonest(kind))
  const good = (['comment', 'oracle', 'flaky'] as const).map((kind) => trials.filter((trial) => trial.kind === kind))
  const beads = new FreeBeads(world, bench.id)
  for (const part of [cheats, ...good]) {
    let left: readonly Trial[] = part
    while (left.length > 0 && running.goesOn()) {
      left = await inParallel(running, bench, beads, left)
      reset(world, bench)
    }
  }
}

/** What was not begun, because work passed that should not have. */
async function inParallel(
  running: Running,
  bench: Bench,
  beads: FreeBeads,
  trials: readonly Trial[],
): Promise<readonly Trial[]> {
  const { world, slots, commit, goesOn, done, say } = running
  const left = [...trials]
  let spoilt = false
  const worker = async () => {
    while (!spoilt && goesOn()) {
      const trial = left.shift()
      if (!trial) return
      try {
        const bead = beads.next(trial.exercise.name)
        const verdict = await play(world, { trial, bench, bead, whole: isWhole(trial) }, commit)
        done(verdict)
        const { result } = verdict
        if (isVerdict(result) && result.state === 'COMPLETED' && !isHonest(trial.kind)) spoilt = true
      } catch (error) {
        say(`${trial.id}: ${messageOf(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: slots }, worker))
  return left
}

/** Beads that nothing was ever tried with. */
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
