import { mkdirSync, openSync, readdirSync, rmSync, watch } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../process/clock.ts'
import { descriptorCarrier } from './link/descriptor-carrier.ts'
import type { SupervisorLink } from './link/supervisor-link.ts'
import { isFromEngine } from './processes/process-table.ts'

/** Between two looks at a socket where no server listens; a start of the server takes about a second. */
const RETRY_MS = 200

/** Connects to the socket of a server that shares the host, and again whenever the connection ends. */
export function dialSocket(link: SupervisorLink, path: string, clock: Clock): void {
  const socket = connect(path)
  socket.on('error', () => {}) // 'close' follows
  socket.once('connect', () => link.attach({ input: socket, output: socket }))
  socket.once('close', () => void clock.sleep(RETRY_MS).then(() => dialSocket(link, path, clock)))
}

/**
 * Takes processes that the engine puts into the container (`exec`) as carriers, by their standard streams. Such a process
 * makes a file in `folder` whose name is its pid in here, and then waits:
 *
 *     sh -c ': > FOLDER/$$ && exec sleep 2147483647'
 *
 * Everybody in the container can make such a file. So only a process whose parent is outside of the container is taken,
 * which nobody in here can bring about.
 */
export function watchExecs(link: SupervisorLink, folder: string): void {
  rmSync(folder, { recursive: true, force: true }) // pids of an earlier start
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const look = (): void => {
    for (const name of readdirSync(folder)) {
      rmSync(join(folder, name), { recursive: true, force: true })
      if (/^[1-9]\d{0,9}$/.test(name)) attachProcess(link, Number(name))
    }
  }
  const lookAgain = (): void => {
    try {
      look()
    } catch {
      // somebody has removed the folder: no server comes this way any more, as whoever did it wanted
    }
  }
  watch(folder, lookAgain).on('error', () => {})
  lookAgain()
}

function attachProcess(link: SupervisorLink, pid: number): void {
  if (!isFromEngine(pid)) return
  try {
    link.attach(descriptorCarrier(openSync(`/proc/${pid}/fd/0`, 'r'), openSync(`/proc/${pid}/fd/1`, 'w'), pid))
  } catch {
    // it has ended already, or has standard streams that cannot be opened
  }
}
