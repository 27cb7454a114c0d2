import { mkdirSync, openSync, readdirSync, rmSync, statSync, watch } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Clock } from '../process/clock.ts'
import { descriptorCarrier } from './link/descriptor-carrier.ts'
import type { SupervisorLink } from './link/supervisor-link.ts'
import { isFromEngine } from './processes/process-table.ts'

/**
 * The pause between two tries while no server listens or nothing can be watched. A server takes about a second to
 * start.
 */
const RETRY_MS = 200

/**
 * Connects to the socket of a server that shares the host. Connects again whenever the connection ends, and to each new
 * socket in its place: an earlier server may still hold its end open without running.
 */
export function dialSocket(link: SupervisorLink, path: string, clock: Clock): void {
  let dialled: Socket | null = null
  let known: string | null = null
  const dial = (): void => {
    known = identityOf(path)
    const socket = (dialled = connect(path))
    const redial = (): void => {
      if (dialled === socket) dial()
    }
    socket.on('error', () => {}) // 'close' follows
    socket.once('connect', () => link.attach({ input: socket, output: socket }))
    socket.once('close', () => void clock.sleep(RETRY_MS).then(redial))
  }
  const look = (): void => {
    const now = identityOf(path)
    if (now !== null && now !== known) dial()
  }
  dial()
  try {
    watch(dirname(path), look).on('error', () => {})
  } catch {
    // Without it a new server is found when the connection to the old one ends.
  }
}

/** Null if nothing is there. An inode number alone is not enough: the next file may get the same one. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.ino}-${found.birthtimeNs}` : null
}

/**
 * Takes processes that the engine puts into the container (`exec`) as carriers, by their standard streams. Such a
 * process creates a file in `folder`, named by its pid in the container, and then waits:
 *
 *     sh -c ': > FOLDER/$$ && exec sleep 2147483647'
 *
 * Everybody in the container can make such a file. So it takes only a process whose parent is outside of the container,
 * and nobody in here can start one.
 */
export function watchExecs(link: SupervisorLink, folder: string, clock: Clock): void {
  rmSync(folder, { recursive: true, force: true }) // pids of an earlier start
  const again = (): void => void clock.sleep(RETRY_MS).then(watchOnce)
  const watchOnce = (): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const watcher = watch(folder, () => {
        if (look(link, folder)) return
        watcher.close() // somebody has removed the folder
        again()
      })
      watcher.on('error', again)
      look(link, folder)
    } catch {
      again()
    }
  }
  watchOnce()
}

/** False if there is no such folder. */
function look(link: SupervisorLink, folder: string): boolean {
  try {
    for (const name of readdirSync(folder)) {
      rmSync(join(folder, name), { recursive: true, force: true })
      if (/^[1-9]\d{0,9}$/.test(name)) attachProcess(link, Number(name))
    }
    return true
  } catch {
    return false
  }
}

function attachProcess(link: SupervisorLink, pid: number): void {
  if (!isFromEngine(pid)) return
  try {
    const [input, output] = [openSync(`/proc/${pid}/fd/0`, 'r'), openSync(`/proc/${pid}/fd/1`, 'w')]
    link.attach({ ...descriptorCarrier(input, output, pid), over: () => endProcess(pid) })
  } catch {
    // it has ended already, or has standard streams that cannot be opened
  }
}

/** Ends the process, which does not notice that its server has gone. */
function endProcess(pid: number): void {
  try {
    if (isFromEngine(pid)) process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended already
  }
}
