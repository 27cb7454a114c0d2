import { setTimeout as sleep } from 'node:timers/promises'
import { ApiPulse, type Pulse } from '../crash/pulse.ts'
import { Victim } from '../crash/victim.ts'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { figure, type Report, type Row } from './support/figure.ts'

const FLOOD_MS = 60_000
const IDLE_MS = 20_000
const BEADS = ['be-1', 'be-2', 'be-3']
const PATHS = ['/api/status', '/healthz']
/** As fast as it is read, for longer than it is measured. */
const FLOOD = `yes 'a line of ordinary output that is exactly one hundred bytes long, as compilers and test runners do.' >&2`

/**
 * Response times of the API while three agents flood their records, seen from another process, against the same
 * requests to the idle server.
 */
export async function pauses(): Promise<Report> {
  const victim = await Victim.start()
  try {
    const commands = { ...Object.fromEntries(BEADS.map((id) => [id, FLOOD])), 'be-warm': 'exit 1' }
    const beads = Object.keys(commands).map((id) => ({ id, title: `Flood ${id}` }))
    await victim.addProject(PROJECT, { files: benchProject(commands), beads })
    await victim.ended(await victim.queue(PROJECT, 'be-warm'))
    const idle = await listen(victim, IDLE_MS)

    const ids: string[] = []
    for (const bead of BEADS) ids.push(await victim.queue(PROJECT, bead))
    for (const id of ids) await victim.until(id, ({ sessions }) => sessions.some(({ state }) => state === 'running'))
    const flooded = await listen(victim, FLOOD_MS)
    return { rows: PATHS.flatMap((path, at) => rowsOf(path, flooded[at]!, idle[at]!)), parts: [] }
  } finally {
    await victim.remove()
    await new BareDocker().removeImages(PROJECT)
  }
}

/** Asks for both paths at the same time, each again as soon as it was answered. */
async function listen(victim: Victim, forMs: number): Promise<Pulse[]> {
  const pulses = PATHS.map((path) => new ApiPulse(victim, [path]))
  await sleep(forMs)
  const heard = await Promise.all(pulses.map((pulse) => pulse.end()))
  const failed = heard.reduce((sum, pulse) => sum + pulse.failed, 0)
  if (failed > 0) throw new Error(`${failed} requests were not answered`)
  return heard
}

function rowsOf(path: string, flooded: Pulse, idle: Pulse): Row[] {
  const row = (name: string, of: 'median' | 'p99' | 'longest', aim: Row['aim']): Row => ({
    bench: 'pauses',
    what: `GET ${path} in a 60 s flood, ${name}`,
    ours: figure('ms', [flooded[of]]),
    baseline: { what: 'idle', figure: figure('ms', [idle[of]]) },
    aim,
  })
  return [
    row('median', 'median', null),
    row('99 of 100', 'p99', { of: 'ours', at: 'most', value: 100 }),
    row('longest', 'longest', { of: 'ours', at: 'most', value: 250 }),
  ]
}
