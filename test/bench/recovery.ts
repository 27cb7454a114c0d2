import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Victim } from '../crash/victim.ts'
import { stored } from '../crash/stored.ts'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { figure, type Report } from './support/figure.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 5
const BEADS = ['be-1', 'be-2', 'be-3']
const LOOK_MS = 20
/** A record counts as up to date if it is at most this far behind the agent's output. */
const BEHIND_MS = 250
/** Tells the time twenty times a second, for ever. */
const CLOCK = `exec /opt/beadloom/bin/node -e "setInterval(() => console.error('at ' + Date.now()), 50)"`

/**
 * From SIGKILL of a server with three agents at work until the next server has adopted all of them and their records
 * are up to date; against the same kill and start of a server that has nothing to adopt.
 */
export async function recovery(asked: number | null): Promise<Report> {
  const rounds = asked ?? ROUNDS
  const [busy, idle] = [await Victim.start(), await Victim.start()]
  try {
    const beads = BEADS.map((id) => ({ id, title: 'Tell the time' }))
    await busy.addProject(PROJECT, { files: benchProject(Object.fromEntries(BEADS.map((id) => [id, CLOCK]))), beads })
    const ids: string[] = []
    for (const bead of BEADS) ids.push(await busy.queue(PROJECT, bead))
    await upToDate(busy, ids)

    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 1; round <= rounds; round++) {
      ours.push(await killed(busy, () => upToDate(busy, ids)))
      bare.push(await killed(idle, () => idle.api('GET', '/api/status')))
    }
    return {
      rows: [
        {
          bench: 'recovery',
          what: 'SIGKILL → three agents adopted, their records up to date',
          ours: figure('ms', ours),
          baseline: { what: 'idle server: SIGKILL → status', figure: figure('ms', bare) },
          aim: { of: 'ours', at: 'most', value: 2_000 },
        },
      ],
      parts: [],
    }
  } finally {
    await busy.remove()
    await idle.remove()
    await new BareDocker().removeImages(PROJECT)
  }
}

async function killed(victim: Victim, back: () => Promise<unknown>): Promise<number> {
  const from = wallClock()
  await victim.kill()
  await victim.again()
  await back()
  return wallClock() - from
}

/** Waits until each execution's log ends with the current time. */
async function upToDate(victim: Victim, ids: readonly string[]): Promise<void> {
  const waiting = new Set(ids)
  while (waiting.size > 0) {
    for (const id of waiting) {
      const execution = stored(victim.data).executions.find((one) => one.id === id)
      const session = execution?.sessions.findLast(({ kind }) => kind === 'work')
      if (session && wallClock() - lastTime(join(victim.data, 'logs', id, `${session.number}.log`)) < BEHIND_MS)
        waiting.delete(id)
    }
    await sleep(LOOK_MS)
  }
}

/** The time in the last line of a log; 0 when it has none. */
function lastTime(log: string): number {
  const end = Buffer.alloc(256)
  try {
    const file = openSync(log, 'r')
    try {
      readSync(file, end, 0, end.length, Math.max(0, fstatSync(file).size - end.length))
    } finally {
      closeSync(file)
    }
  } catch {
    return 0 // there is none yet
  }
  return Number(
    end
      .toString('latin1')
      .match(/(?<=at )\d{13}(?=\n)/g)
      ?.at(-1) ?? 0,
  )
}
