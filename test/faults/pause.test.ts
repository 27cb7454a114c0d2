import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { containerFacts } from '../crash/container-watch.ts'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { isLong, sized } from '../crash/size.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'
import { carriers, type CarrierKind } from '../support/carriers.ts'

/*
 * The server, or the link to its containers, stops and continues later (SIGSTOP: Ctrl-Z, a debugger, a paused machine,
 * a pulled cable), while the agents work on.
 */

const BEADS = isLong ? ['p-1', 'p-2', 'p-3'] : ['p-1']
/** An agent prints a hundred lines a second. */
const LINES = sized(800, 12_000)
const LOOK_MS = 200

const inside = (container: string, ...command: string[]): string =>
  execFileSync('docker', ['exec', container, ...command], { encoding: 'utf8' })

/**
 * Lines of the bead's ledger. 0 while its session begins: that ends every other process in there. Throws when the
 * container is gone.
 */
function linesIn(container: string, bead: string): number {
  const files = ['out', 'err'].map((name) => `/workspace/ledger-${bead}/${name}`)
  try {
    return Number(inside(container, 'sh', '-c', `cat ${files.join(' ')} 2> /dev/null | wc -l`))
  } catch {
    containerFacts(container)
    return 0
  }
}

/** Waits until its agent has printed `lines` more lines, read or not. */
async function printed(container: string, bead: string, lines: number): Promise<void> {
  const most = linesIn(container, bead) + lines
  while (linesIn(container, bead) < most) await delay(LOOK_MS)
}

type AtWork = { victim: Victim; containers: string[]; end: (fault: string, times: number) => Promise<void> }

/** Agents that have printed a hundred lines and do not stop by themselves. */
async function atWork(carrier: CarrierKind, limits: object): Promise<AtWork> {
  const victim = await Victim.start({ carrier })
  onTestFinished(() => victim.remove())
  const commands = Object.fromEntries(BEADS.map((bead) => [bead, ledger(bead, 'steady', 1_000_000)]))
  await victim.addProject('paused', ledgerProject(commands, { limits }))
  const ids: string[] = []
  for (const bead of BEADS) ids.push(await victim.queue('paused', bead))
  const containers: string[] = []
  for (const id of ids) {
    await victim.until(id, () => victim.watch.agents(id).length > 0)
    containers.push(...victim.watch.agents(id))
  }
  await printed(containers[0]!, BEADS[0]!, 100)
  const end = async (fault: string, times: number) => {
    for (const container of containers) inside(container, 'touch', '/tmp/ledger-end')
    for (const id of ids) await victim.ended(id)
    for (const id of ids) expect(await victim.execution(id)).toMatchObject({ state: 'COMPLETED' })
    await victim.stop()
    const found = nothingLost(victim)
    tallyFound(`${fault}, over ${carrier}`, times, found)
    expect(found.lost).toEqual([])
  }
  return { victim, containers, end }
}

test.each(carriers)(
  'over %s: a server that is stopped and continued ends no agent, and has every byte',
  async (carrier) => {
    // The server's pause counts neither as its agents' silence nor against their deadline. Both limits are shorter than
    // the pause. The deadline is so only in the long form, because a busy machine is slow before and after the pause.
    const limits = { executionTimeoutSeconds: sized(120, 90), inactivityTimeoutSeconds: 3 }
    const { victim, containers, end } = await atWork(carrier, limits)
    for (let round = 0; round < sized(1, 2); round++) {
      process.kill(victim.pid, 'SIGSTOP')
      try {
        await printed(containers[0]!, BEADS[0]!, LINES)
      } finally {
        process.kill(victim.pid, 'SIGCONT')
      }
      // Longer than the limit of silence: a wrong verdict would have come by now.
      await printed(containers[0]!, BEADS[0]!, 500)
    }
    await end('SIGSTOP and SIGCONT of the server', sized(1, 2))
  },
)

/** The first child of process 1, as a process of this machine. */
function supervisorOf(container: string): number {
  const { pid } = containerFacts(container)
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
}

/** Stops all traffic of the link without a notice to anybody; returns a function that ends this. */
function silence(carrier: CarrierKind, victim: Victim, containers: string[]): () => void {
  if (carrier === 'exec') {
    victim.byTcp.hang() // the engine is silent, too
    return () => victim.byTcp.passes()
  }
  const pids = containers.map(supervisorOf)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => pids.forEach((pid) => process.kill(pid, 'SIGCONT'))
}

test.each(carriers)('a link over %s that is silent for long continues at the same byte', async (carrier) => {
  const { victim, containers, end } = await atWork(carrier, {})
  const isOver = silence(carrier, victim, containers)
  try {
    await printed(containers[0]!, BEADS[0]!, LINES)
  } finally {
    isOver()
  }
  await printed(containers[0]!, BEADS[0]!, 100)
  await end('a silent link', 1)
})
