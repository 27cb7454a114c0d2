import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { chance } from '../chance.ts'
import { residentMegabytes } from '../pulse.ts'
import { stored } from '../stored.ts'
import { pauseOf, Wrong, type Fault } from './fault.ts'
import { faults } from './soak-faults.ts'
import { SoakOracle } from './soak-oracle.ts'
import type { SoakStage } from './soak-stage.ts'
import { StandstillWatch } from './standstill-watch.ts'
import { SoakWork } from './soak-work.ts'

export type SoakPlan = {
  seed: number
  /** Faults end after this many milliseconds, or after `most` faults. */
  forMs: number
  most: number
  /** After this time everything may end, and is checked. */
  roundMs: number
}

export type SoakReport = {
  /** The faults, how often each happened, and how often it killed a process with SIGKILL. */
  faults: { name: string; times: number; sigkills: number }[]
  bytes: number
  unrecorded: number
  ends: Record<string, number>
  lost: string[]
  doubled: string[]
  rounds: string[]
}

const TURN_MS = 700
const LOOK_MS = 1_000
/** The time for everything to end once the faults are over. */
const DRAIN_LIMIT_MS = 300_000
/** The allowed growth of a server that has done a lot, against one that has just started. */
const MORE_DESCRIPTORS = 12
const MORE_MEGABYTES = 200

export async function soak(stage: SoakStage, plan: SoakPlan, say: (line: string) => void): Promise<SoakReport> {
  const random = chance(plan.seed)
  const report: SoakReport = {
    faults: [],
    bytes: 0,
    unrecorded: 0,
    ends: {},
    lost: [],
    doubled: [],
    rounds: [],
  }
  const oracle = new SoakOracle(stage)
  const work = new SoakWork(stage)
  await work.begin()
  const from = performance.now()
  const total = () => report.faults.reduce((sum, { times }) => sum + times, 0)
  const isOver = () => performance.now() - from > plan.forMs || total() >= plan.most
  for (let round = 1; round === 1 || !isOver(); round++) {
    const calm = round % 3 === 0 // its server lives through the whole round
    const roundOver = performance.now() + plan.roundMs
    const quiet = new AbortController()
    const watch = new StandstillWatch(stage)
    const others = [
      every(TURN_MS, quiet.signal, () => work.turn(random)),
      every(LOOK_MS, quiet.signal, () => stage.witness.look()),
      every(LOOK_MS, quiet.signal, () => watch.look(report.lost)),
    ]
    while (!isOver() && performance.now() < roundOver) {
      const choice = faults.filter((fault) => possible(fault, stage) && !(calm && fault.endsServer))
      await strike(pick(choice, random), calm)
    }
    quiet.abort()
    await Promise.all(others)
    await drained(stage, work, watch, report.lost)
    const size = await sizes(stage, report.lost)
    const verdict = oracle.judge()
    await stage.again()
    report.bytes += verdict.bytes
    report.unrecorded += verdict.unrecorded
    for (const [state, n] of Object.entries(verdict.ends)) report.ends[state] = (report.ends[state] ?? 0) + n
    report.lost.push(...verdict.lost)
    report.doubled.push(...verdict.doubled)
    const minutes = ((performance.now() - from) / 60_000).toFixed(1)
    report.rounds.push(
      `round ${round}${calm ? ' (one server)' : ''}, minute ${minutes}: ${total()} faults so far; ${size}; ${JSON.stringify(verdict.ends)}`,
    )
    say(report.rounds.at(-1)!)
    for (const what of [...verdict.lost, ...verdict.doubled]) say(`  ${what}`)
  }
  return report

  async function strike(fault: Fault, isCalm: boolean): Promise<void> {
    const at = ((performance.now() - from) / 1000).toFixed(1)
    const healing = await fault.begin(stage, random).catch((error: unknown) => {
      say(`${at} s: ${fault.name} could not be done: ${String(error).slice(0, 300)}`)
      if (error instanceof Wrong) report.lost.push(error.message)
      return 'not now' as const
    })
    if (healing === 'not now') return mendCrash(fault)
    say(`${at} s: ${fault.name}`)
    count(fault)
    if (healing !== 'over') {
      // Sometimes the server is killed under another fault, and starts again under it.
      const both = !isCalm && !fault.endsServer && !fault.alone && random() < 0.35
      const killed = both ? killedUnder() : null
      await pauseOf(fault.lasts ?? [0, 1000], random)
      await healing()
      await killed
    }
    await mendCrash(fault)
    await pauseOf([50, stage.startMs], random)
  }

  async function killedUnder(): Promise<void> {
    count(faults[0]!)
    if (stage.isUp) await stage.kill()
    await stage.again()
  }

  function count({ name, sigkills }: Fault): void {
    const known = report.faults.find((one) => one.name === name)
    const row = known ?? { name, times: 0, sigkills: 0 }
    if (!known) report.faults.push(row)
    row.times += 1
    if (sigkills) row.sigkills += 1
  }

  /** With too little memory the kernel may kill it; any other end is a loss. */
  async function mendCrash(fault: Fault): Promise<void> {
    const crash = stage.takeCrash()
    if (crash === null) return
    if (fault.needs === 'memory group' && / 137: /.test(crash)) {
      report.faults.find(({ name }) => name === fault.name)!.sigkills += 1
    } else {
      report.lost.push(`after "${fault.name}" ${crash}`)
      say(report.lost.at(-1)!)
    }
    await stage.again()
  }
}

const possible = ({ needs }: Fault, { engine, memory }: SoakStage): boolean =>
  needs === undefined || (needs === 'own engine' ? engine !== null : memory !== null)

function pick(choice: Fault[], random: () => number): Fault {
  let left = random() * choice.reduce((sum, { weight }) => sum + weight, 0)
  return choice.find(({ weight }) => (left -= weight) < 0) ?? choice[0]!
}

/** Repeats the work and ignores its errors: faults cause them. */
async function every(ms: number, over: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!over.aborted) {
    await work().catch(() => {})
    await delay(ms)
  }
}

/** The faults are over: lets everything end, and saves the kept containers. */
async function drained(stage: SoakStage, work: SoakWork, watch: StandstillWatch, lost: string[]): Promise<void> {
  const limit = performance.now() + DRAIN_LIMIT_MS
  const { victim } = stage
  const late = () => performance.now() > limit
  while (!late()) {
    await work.answered().catch(() => {})
    await stage.witness.look()
    await watch.look(lost)
    const status = await victim.api<ServerStatus>('GET', '/api/status').catch(() => null)
    if (status?.queue.length === 0 && status.running.length === 0 && stored(victim.data).live === 0) break
    await delay(LOOK_MS)
  }
  if (late())
    for (const { id, state, steps } of stored(victim.data).executions.filter((one) => one.steps.length < 4))
      lost.push(`${id} is ${state} with the steps ${steps.join(', ') || 'none'}, minutes after the last fault`)
  while (!late()) {
    const { items } = await victim.api<Page<KeptContainer>>('GET', '/api/containers')
    if (items.length === 0 && stage.victim.watch.left().length === 0) return
    for (const { name } of items) await victim.api('POST', `/api/containers/${name}/save`, {}).catch(() => {})
    await delay(LOOK_MS)
  }
}

/** Compares the server after all that with a fresh one. Stops the server in the end. */
async function sizes(stage: SoakStage, lost: string[]): Promise<string> {
  const of = () => ({
    descriptors: readdirSync(`/proc/${stage.victim.pid}/fd`).length,
    megabytes: residentMegabytes(stage.victim.pid),
  })
  const used = of()
  stage.expectEnd()
  await stage.victim.stop()
  await stage.again()
  await stage.victim.api('GET', '/api/status')
  await delay(LOOK_MS)
  const fresh = of()
  stage.expectEnd()
  await stage.victim.stop()
  const told = `${used.descriptors} descriptors and ${used.megabytes.toFixed(0)} MB, a new server ${fresh.descriptors} and ${fresh.megabytes.toFixed(0)} MB`
  if (used.descriptors > fresh.descriptors + MORE_DESCRIPTORS || used.megabytes > fresh.megabytes + MORE_MEGABYTES)
    lost.push(`the server does not come back to what it was: ${told}`)
  return told
}
