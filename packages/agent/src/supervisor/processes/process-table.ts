import { readdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'

export type ProcessState = { pid: number; parent: number; state: string }

/** The processes of this sandbox, as the kernel knows them: nobody in it can hide from this, or pose as another. */
export interface ProcessTable {
  /** Everything alive beside process 1, the supervisor and the carriers of its link. A zombie is not alive. */
  others(): ProcessState[]
  /** Whether every thread of the process is stopped, or dead. */
  isStopped(pid: number): boolean
  /** The time since a process began; infinite if it is gone. To a hundredth of a second. */
  ageMs(pid: number): number
  /** Ignores a process that is gone. */
  signal(pid: number, signal: NodeJS.Signals): void
  /** Sends SIGKILL to everything but process 1 and the supervisor, at once: nobody can fork away from it. */
  killAll(): void
}

/** The reason why the table must not be used, or null. */
type Refusal = string | null

/**
 * The table of a pid namespace whose process 1 is ours. It throws anywhere else: outside a container, `killAll` would
 * end the machine.
 *
 * @param carriers processes that carry the link now. One is spared only if the engine put it here: its parent is
 *   outside of the namespace and shows as 0, and nobody in here can start such a process.
 */
export function ownNamespace(carriers: () => readonly number[], self: { pid: number; ppid: number }): ProcessTable {
  const refusal = refuse(self)
  if (refusal) throw new Error(refusal)
  const spared = ({ pid, parent }: ProcessState): boolean =>
    pid === 1 || pid === self.pid || (parent === 0 && carriers().includes(pid))
  return {
    others: () => allProcesses().filter((one) => !spared(one) && isAlive(one.state)),
    isStopped,
    ageMs: (pid) => ageMs(pid, self.pid),
    signal,
    killAll: () => signal(-1, 'SIGKILL'),
  }
}

function refuse(self: { pid: number; ppid: number }): Refusal {
  if (self.ppid !== 1) return 'the supervisor is started by process 1 of its sandbox, and by nobody else'
  const first = readFileSync('/proc/1/cmdline', 'utf8').split('\0')
  if (first.some((word) => word.endsWith('/process-one.sh'))) return null
  return 'process 1 is not the one of a sandbox: there is no container, or it was started with another one'
}

function allProcesses(): ProcessState[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (stateAt(`/proc/${name}/stat`) ?? []) : []))
}

/** Null if the process has ended meanwhile. */
function stateAt(path: string): ProcessState | null {
  try {
    return parseStat(readFileSync(path, 'latin1'))
  } catch {
    return null
  }
}

/** Whether the engine put this process into the container: its parent is not in here. False for process 1. */
export const isFromEngine = (pid: number): boolean => pid !== 1 && stateAt(`/proc/${pid}/stat`)?.parent === 0

/** `PID (NAME) STATE PARENT …`: a name may hold brackets, spaces and line ends. */
export function parseStat(text: string): ProcessState {
  const after = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { pid: Number.parseInt(text, 10), state: after[0] ?? '?', parent: Number(after[1]) }
}

/** The kernel tells user space in this unit, whatever its own is. */
const TICK_MS = 10

function ageMs(pid: number, self: number): number {
  const [began, own] = [startedAt(pid), startedAt(self)]
  if (began === null || own === null) return Infinity
  // A container's uptime is made up where lxcfs is in use: then the supervisor's own age is the measure.
  const sinceBoot = uptime() * 1000
  return (sinceBoot >= own ? sinceBoot : own + process.uptime() * 1000) - began
}

/** Milliseconds since the boot of the host; null: it has ended. */
function startedAt(pid: number): number | null {
  try {
    return parseStart(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return null
  }
}

/** The 22nd field, in milliseconds since the boot of the host. */
export const parseStart = (text: string): number =>
  Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]) * TICK_MS

const isAlive = (state: string): boolean => state !== 'Z' && state !== 'X'

function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks).every((task) => {
      const state = stateAt(`${tasks}/${task}/stat`)?.state
      return state === undefined || !isAlive(state) || state === 'T' || state === 't'
    })
  } catch {
    return true // gone
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // ESRCH: it is gone already. EPERM: this user did not start it.
  }
}
