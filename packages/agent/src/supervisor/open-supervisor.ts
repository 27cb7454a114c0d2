import { systemClock } from '../process/clock.ts'
import type { Ahead } from './ahead.ts'
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
  /** As in `SupervisorDeps`; absent: null. */
  workspace?: string | null
  spoolBytes?: number
  /** As in `SessionDeps`; absent: nothing. */
  env?: NodeJS.ProcessEnv
  scratch?: string
}

/**
 * The supervisor of the sandbox in which this process runs. Throws outside of one.
 *
 * @param ahead as in `Supervisor.open`
 */
export async function openSupervisor(place: SupervisorPlace, ahead: Ahead | null = null): Promise<Supervisor> {
  const { folder, starts, carriers, spoolBytes, workspace = null, env = {}, scratch = null } = place
  const table = ownNamespace(carriers, { pid: process.pid, ppid: process.ppid })
  let supervisor: Supervisor | null = null
  stayAlive(async (graceMs) => supervisor?.stopAll(graceMs))
  const deps = { clock: systemClock, table, memoryKills, env, scratch, folder, workspace, starts, say }
  supervisor = await Supervisor.open({ ...deps, spoolBytes: spoolBytes ?? MOST_ON_DISK }, ahead)
  return supervisor
}
