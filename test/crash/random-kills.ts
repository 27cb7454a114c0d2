import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { chance } from './chance.ts'
import { containerFacts, type ContainerFacts } from './container-watch.ts'
import { ledger, ledgerProject } from './ledger-project.ts'
import type { Victim } from './victim.ts'

export type KillPlan = {
  kills: number
  seed: number
  /** The shortest and longest life of a server after it is up. */
  livesMs: [number, number]
  /** Whether a short bead is queued for each life, so that kills hit all moments of an execution. */
  short: boolean
}

const LONG = ['k-1', 'k-2', 'k-3']

/**
 * Kills and restarts the server while three agents keep their ledgers. Returns what was wrong with their containers,
 * and the executions; all of them are over, and the server runs.
 */
export async function killAtRandom(
  victim: Victim,
  project: string,
  plan: KillPlan,
): Promise<{ wrong: string[]; ids: string[] }> {
  const random = chance(plan.seed)
  const shorts = plan.short ? Array.from({ length: plan.kills }, (_, at) => `s-${at + 1}`) : []
  const modes = ['steady', 'steady', 'commit'] as const
  const commands = [
    ...LONG.map((bead, at) => [bead, ledger(bead, modes[at] ?? 'steady', 1_000_000)]),
    ...shorts.map((bead, at) => [bead, ledger(bead, at % 2 === 0 ? 'binary' : 'steady', 40)]),
  ]
  await victim.addProject(project, ledgerProject(Object.fromEntries(commands) as Record<string, string>))
  const long: string[] = []
  for (const bead of LONG) long.push(await victim.queue(project, bead))
  // If a started container has no session yet, the next server gives it up, and nothing is lost.
  for (const id of long)
    await victim.until(id, ({ sessions }) => sessions.some(({ kind, logLines }) => kind === 'work' && logLines > 5))
  const before = new Map(long.map((id) => [id, factsOf(victim, id)]))

  const ids = [...long]
  for (let kill = 0; kill < plan.kills; kill++) {
    const bead = shorts[kill]
    if (bead) ids.push(await victim.queue(project, bead))
    const [least, most] = plan.livesMs
    await delay(least + random() * (most - least))
    await victim.kill()
    await victim.again()
  }
  const wrong = long.flatMap((id) => {
    const [then, now] = [before.get(id), factsOf(victim, id)]
    return JSON.stringify(then) === JSON.stringify(now) ? [] : [`${id} was in ${told(then)} and is in ${told(now)}`]
  })
  for (const id of long) for (const { id: container } of factsOf(victim, id)) endLedger(container)
  for (const id of ids) await victim.ended(id)
  return { wrong, ids }
}

/** Without a container that was started early and not used: it is gone again. */
function factsOf(victim: Victim, execution: string): ContainerFacts[] {
  const there = execFileSync('docker', ['ps', '-aq', '--no-trunc'], { encoding: 'utf8' }).split('\n')
  return victim.watch.agents(execution).flatMap((id) => (there.includes(id) ? [containerFacts(id)] : []))
}

const told = (facts: ContainerFacts[] | undefined): string => JSON.stringify(facts ?? [])

function endLedger(container: string): void {
  execFileSync('docker', ['exec', '--detach', container, 'touch', '/tmp/ledger-end'])
}
