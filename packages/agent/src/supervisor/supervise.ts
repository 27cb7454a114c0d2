import { EGRESS_PORT, LINK_PORT } from '@beadloom/core/execution/session-order.ts'
import { systemClock } from '../process/clock.ts'
import type { Ahead } from './ahead.ts'
import { dialSocket, watchExecs } from './carriers.ts'
import { LinkSocket } from './link/link-socket.ts'
import { SupervisorLink } from './link/supervisor-link.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { openSupervisor } from './open-supervisor.ts'
import { takeOrders } from './take-orders.ts'
import { ownWorkspace } from './workspace/own-workspace.ts'
import { untilCopied } from './workspace/until-copied.ts'

export type SupervisorArguments = {
  /** A folder on the container's own disk; this supervisor's other folders are below it. */
  folder: string
  workspace: string
  sessions: string
  carriers: string
  /** 16 bytes as hex that this container and its servers know. */
  magic: string
  /** The mounted socket of a server on the same host; null: servers come through the engine. */
  socketPath: string | null
  /** A folder that is emptied after each session; null: none. */
  scratch: string | null
  /** As process 1 counts it. */
  starts: number
  /** The port of the link in the container. */
  port: number
  /** The environment of every session. */
  env: NodeJS.ProcessEnv
}

/** By then it is loaded and linked, and mostly waits. */
const LOADED_MS = 5000

/**
 * A supervisor with its link, as long as this process lives.
 *
 * @param copying the copy that the container's first start has begun (`ownWorkspace`): other processes are not looked
 *   at until it is done
 */
export async function supervise(
  given: SupervisorArguments,
  ahead: Ahead | null,
  copying: Promise<void> | null = null,
): Promise<void> {
  const { sessions: folder, workspace, starts, scratch, env, port } = given
  await untilCopied(copying)
  /** None until it has its orders and spools: the rest of an earlier supervisor is ended together with its carriers. */
  let carriers = (): readonly number[] => []
  const place = { folder, workspace, starts, carriers: () => carriers(), env, ...(scratch !== null && { scratch }) }
  const supervisor = await openSupervisor(place, ahead)
  if (starts > 1) await untilCopied(ownWorkspace(given.folder, workspace))
  const link = new SupervisorLink({
    magic: Buffer.from(given.magic, 'hex'),
    spools: (name) => supervisor.findSpool(name),
    take: takeOrders(supervisor),
  })
  carriers = () => link.carrierPids()
  await LinkSocket.open({ host: '127.0.0.1', port }, link, systemClock)
  const egressPort = port === LINK_PORT ? EGRESS_PORT : 0
  await LinkSocket.open({ host: '127.0.0.1', port: egressPort }, link, systemClock, 'egress')
  watchExecs(link, given.carriers, systemClock)
  if (given.socketPath !== null) dialSocket(link, given.socketPath, systemClock)
  void systemClock.sleep(LOADED_MS).then(() => giveBackMemory())
}
