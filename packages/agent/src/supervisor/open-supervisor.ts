import { systemClock } from '../process/clock.ts'
import { memoryKills } from './processes/memory-kills.ts'
import { ownNamespace } from './processes/process-table.ts'
import { MOST_ON_DISK } from './spool/spool-bound.ts'
import { say, stayAlive } from './stay-alive.ts'
import { Supervisor } from './supervisor.ts'

export type SupervisorPlace = {
  /** On the container's own disk. */
  folder: string
  /** As process 1 counts it. */
  starts: number
  /** Processes that carry the link now. */
  carriers: () => readonly number[]
  spoolBytes?: number
  /** As in `SessionDeps`; absent: nothing. */
  env?: NodeJS.ProcessEnv
  scratch?: string
}

/** The supervisor of the sandbox in which this process runs. Throws outside of one. */
export async function openSupervisor(place: SupervisorPlace): Promise<Supervisor> {
  const { folder, starts, carriers, spoolBytes, env = {}, scratch = null } = place
  const table = ownNamespace(carriers, { pid: process.pid, ppid: process.ppid })
  let supervisor: Supervisor | null = null
  stayAlive(async (graceMs) => supervisor?.stopAll(graceMs))
  supervisor = await Supervisor.open({
    clock: systemClock,
    table,
    memoryKills,
    env,
    scratch,
    spoolBytes: spoolBytes ?? MOST_ON_DISK,
    folder,
    starts,
    say,
  })
  return supervisor
}
