/*
 * The supervisor of a sandbox, started by `process-one.sh`:
 *
 *     node --max-semi-space-size=1 --disable-sigusr1 --no-short-builtin-calls supervisor.mjs
 *         FOLDER MAGIC SOCKET|- SCRATCH|- ORDER|- STARTS
 *
 * After 600 MB of output it has 30 MB of its own with the first flag, and 95 without. The second closes Node's debugger from
 * the first moment on.
 *
 * FOLDER is on the container's own disk, MAGIC what this container and its servers know (16 bytes as hex), SOCKET the
 * mounted socket of a server on the same host. Without one, servers come through the engine (`carriers.ts`). SCRATCH is
 * emptied after each session: everything in it is removed, so it is named only where a container has its own. ORDER is
 * that of the first session, probably, as JSON: its process is loaded while the link is made.
 */
import { join } from 'node:path'
import { EGRESS_PORT, LINK_PORT, LINK_URL } from '@beadloom/core/execution/session-order.ts'
import { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import { systemClock } from '../process/clock.ts'
import { dialSocket, watchExecs } from './carriers.ts'
import { LinkSocket } from './link/link-socket.ts'
import { SupervisorLink } from './link/supervisor-link.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { openSupervisor } from './open-supervisor.ts'
import { takeOrders } from './take-orders.ts'

/** By then it is loaded, linked, and mostly waits. */
const LOADED_MS = 5000
/** For use outside a container, where it may be taken. */
const { BEADLOOM_LINK_PORT: port = String(LINK_PORT), ...env } = process.env
const [folder = '', magic = '', socketPath = '', scratch = '-', order = '-', starts = ''] = process.argv.slice(2)

/** None until it has its orders and spools: what a supervisor before this one has left is ended with its carriers. */
let carriers = (): readonly number[] => []
const supervisor = await openSupervisor({
  folder: join(folder, 'sessions'),
  starts: Number(starts),
  carriers: () => carriers(),
  env: { ...env, [LINK_URL]: `http://127.0.0.1:${port}` },
  ...(scratch !== '-' && { scratch }),
})
if (order !== '-' && supervisor.state().starts === 1) supervisor.startAhead(SessionStart.parse(JSON.parse(order)))
const link = new SupervisorLink({
  magic: Buffer.from(magic, 'hex'),
  spools: (name) => supervisor.findSpool(name),
  take: takeOrders(supervisor),
})
carriers = () => link.carrierPids()
await LinkSocket.open({ host: '127.0.0.1', port: Number(port) }, link, systemClock)
const egressPort = Number(port) === LINK_PORT ? EGRESS_PORT : 0
await LinkSocket.open({ host: '127.0.0.1', port: egressPort }, link, systemClock, 'egress')
watchExecs(link, join(folder, 'carriers'), systemClock)
if (socketPath !== '-') dialSocket(link, socketPath, systemClock)

void systemClock.sleep(LOADED_MS).then(() => giveBackMemory())
