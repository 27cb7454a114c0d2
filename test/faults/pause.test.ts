import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ledger, ledgerProject } from '../crash/ledger-project.ts'
import { nothingLost } from '../crash/nothing-lost.ts'
import { isLong, sized } from '../crash/size.ts'
import { tallyFound } from '../crash/tally.ts'
import { Victim } from '../crash/victim.ts'

/*
 * A server that is stopped (SIGSTOP: Ctrl-Z, a debugger, a paused machine) and continues later. Its agents worked on all
 * the time: neither their silence nor their deadline counts its own pause.
 */

const BEADS = isLong ? ['p-1', 'p-2', 'p-3'] : ['p-1']
/** An agent prints a hundred lines a second; both limits are shorter than the pause. */
const LINES = sized(800, 12_000)
const LIMITS = { executionTimeoutSeconds: sized(20, 90), inactivityTimeoutSeconds: 3 }
const LOOK_MS = 200

const inside = (container: string, ...command: string[]): string =>
  execFileSync('docker', ['exec', container, ...command], { encoding: 'utf8' })

/** None while its session begins: that ends everything else in there. */
function linesIn(container: string, bead: string): number {
  const files = ['out', 'err'].map((name) => `/workspace/ledger-${bead}/${name}`)
  try {
    return Number(inside(container, 'sh', '-c', `cat ${files.join(' ')} 2> /dev/null | wc -l`))
  } catch {
    return 0
  }
}

/** Until its agent has printed so many more lines, whoever reads them. */
async function printed(container: string, bead: string, lines: number): Promise<void> {
  const most = linesIn(container, bead) + lines
  while (linesIn(container, bead) < most) await delay(LOOK_MS)
}

test('a server that is stopped and continues ends nobody, and has every byte', async () => {
  const victim = await Victim.start()
  onTestFinished(() => victim.remove())
  const commands = Object.fromEntries(BEADS.map((bead) => [bead, ledger(bead, 'steady', 1_000_000)]))
  await victim.addProject('paused', ledgerProject(commands, { limits: LIMITS }))
  const ids: string[] = []
  for (const bead of BEADS) ids.push(await victim.queue('paused', bead))
  const containers: string[] = []
  for (const id of ids) {
    await victim.until(id, () => victim.watch.agents(id).length > 0)
    containers.push(...victim.watch.agents(id))
  }
  await printed(containers[0]!, BEADS[0]!, 100)

  for (let round = 0; round < sized(1, 2); round++) {
    process.kill(victim.pid, 'SIGSTOP')
    try {
      await printed(containers[0]!, BEADS[0]!, LINES)
    } finally {
      process.kill(victim.pid, 'SIGCONT')
    }
    // Longer than the limit of silence, so that whoever would judge has judged.
    await printed(containers[0]!, BEADS[0]!, 500)
  }

  for (const container of containers) inside(container, 'touch', '/tmp/ledger-end')
  for (const id of ids) await victim.ended(id)
  for (const id of ids) expect(await victim.execution(id)).toMatchObject({ state: 'COMPLETED' })
  await victim.stop()
  const found = nothingLost(victim)
  tallyFound('SIGSTOP and SIGCONT of the server', sized(1, 2), found)
  expect(found.lost).toEqual([])
})
