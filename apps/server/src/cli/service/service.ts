import type { Clock } from '../../process/clock.ts'
import { CliError } from '../exit-code.ts'
import type { ServerFile } from '../../health/server-file.ts'
import { changedLines, dataOf, UNIT, unitFile, type UnitFacts } from './unit-file.ts'
import { findUnit, removeUnit, writeUnit, type Found } from './unit-on-disk.ts'
import type { UnitState, UserManager } from './user-manager.ts'

/** Everything that a service needs from outside. */
export type ServiceDeps = {
  manager: UserManager
  /** The path of the unit. */
  path: string
  /** The server that runs on a data folder; null if none does. */
  serverOn: (data: string) => Promise<ServerFile | null>
  /** The control group of a process according to /proc; null if it cannot be read. */
  cgroupOf: (pid: number) => Promise<string | null>
  /** The last lines that the service printed. */
  lastWords: () => Promise<string>
  clock: Clock
}

export type Installed = {
  unit: string
  change: 'new' | 'changed' | 'none'
  /** Lines that the unit lost (`- `) and has now (`+ `). */
  changes: string[]
  data: string
  /** Null if it has started but does not answer yet. */
  url: string | null
  /** Null if unknown. */
  lingers: boolean | null
}

/** A first start on a slow disk takes a few seconds; it does not include making images. */
const UP_LIMIT_MS = 30_000
const LOOK_MS = 250

/** Writes the unit, enables it and starts it. A repetition changes nothing, and a running server is left alone. */
export async function install(facts: UnitFacts, deps: ServiceDeps): Promise<Installed> {
  const { manager, path, clock } = deps
  const before = await manager.unit()
  const found = await findUnit(path)
  if (found.kind === 'foreign') throw new CliError(found.why)
  await refuseOther(facts.data, deps)
  const text = unitFile(facts)
  const old = found.kind === 'ours' ? found.text : null
  if (text !== old) await writeUnit(path, text)
  await manager.reload()
  await manager.enable({ again: text !== old && before.pid !== null })
  const url = await untilUp(facts.data, deps, clock.monotonic() + UP_LIMIT_MS)
  return {
    unit: path,
    change: old === null ? 'new' : old === text ? 'none' : 'changed',
    changes: old === null ? [] : changedLines(old, text),
    data: facts.data,
    url,
    lingers: await manager.lingers(),
  }
}

/**
 * Refuses if another server runs: a second one on the same data folder would refuse to start, and the service would be
 * up for nothing.
 */
async function refuseOther(data: string, deps: ServiceDeps): Promise<void> {
  const other = await deps.serverOn(data)
  if (other === null || (await isOfUnit(other.pid, deps))) return
  throw new CliError(
    `a server already runs on ${data} at ${other.url} (process ${other.pid}), and it is not the service. Stop it first (Ctrl-C in its terminal, or "kill ${other.pid}"): its agents keep running, and the service reattaches to them. Then try again.`,
  )
}

const isOfUnit = async (pid: number, { cgroupOf }: ServiceDeps): Promise<boolean> =>
  (await cgroupOf(pid))?.split('\n').some((line) => line.split('/').includes(UNIT)) ?? false

async function untilUp(data: string, deps: ServiceDeps, end: number): Promise<string | null> {
  const { manager, clock, serverOn, lastWords } = deps
  for (;;) {
    const server = await serverOn(data)
    if (server !== null && (await isOfUnit(server.pid, deps))) return server.url
    const { state, result } = await manager.unit()
    if (state === 'failed')
      throw new CliError(
        `the unit is installed, but the server ended (${result}). Its last lines:\n${await lastWords()}\nFix what they report, then run "beadloom service install" again.`,
      )
    if (clock.monotonic() >= end) return null
    await clock.sleep(LOOK_MS)
  }
}

export type ServiceStatus = {
  unit: string
  installed: boolean
  /** Why the file at the unit's place is not ours; null if it is, or there is none. */
  foreign: string | null
  data: string | null
  /** The lines that "service install" would change in it. */
  changes: string[]
  state: UnitState
  url: string | null
  lingers: boolean | null
}

/**
 * `facts`: the facts that an installation from here would write, for the unit's own data folder; null if none is
 * possible here.
 */
export async function status(facts: (data: string) => UnitFacts | null, deps: ServiceDeps): Promise<ServiceStatus> {
  const found = await findUnit(deps.path)
  const state = await deps.manager.unit()
  const data = found.kind === 'ours' ? dataOf(found.text) : null
  const server = data === null || state.pid === null ? null : await deps.serverOn(data)
  const now = data === null ? null : facts(data)
  return {
    unit: deps.path,
    installed: found.kind === 'ours',
    foreign: found.kind === 'foreign' ? found.why : null,
    data,
    changes: found.kind === 'ours' && now !== null ? changedLines(found.text, unitFile(now)) : [],
    state,
    url: server !== null && (await isOfUnit(server.pid, deps)) ? server.url : null,
    lingers: await deps.manager.lingers(),
  }
}

/** Stops the service and removes its unit; false if there was none. Containers and the data folder stay. */
export async function uninstall({ manager, path }: ServiceDeps): Promise<boolean> {
  const found: Found = await findUnit(path)
  if (found.kind === 'foreign') throw new CliError(found.why)
  if (found.kind === 'none') return false
  await manager.disable()
  await removeUnit(path)
  await manager.reload()
  return true
}
