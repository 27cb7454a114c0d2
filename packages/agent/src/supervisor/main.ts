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
 * that of the first session, probably, as JSON: its process is loaded while the rest of the supervisor is, and the link made.
 */
import { join } from 'node:path'
import { LINK_PORT, LINK_URL } from '@beadloom/core/execution/session-order.ts'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import { Ahead } from './ahead.ts'
import type { SupervisorArguments } from './supervise.ts'

/** For use outside a container, where it may be taken. */
const { BEADLOOM_LINK_PORT: port = String(LINK_PORT), ...env } = process.env
const [folder = '', magic = '', socketPath = '', scratch = '-', order = '-', starts = ''] = process.argv.slice(2)

const given: SupervisorArguments = {
  sessions: join(folder, 'sessions'),
  carriers: join(folder, 'carriers'),
  magic,
  socketPath: socketPath === '-' ? null : socketPath,
  scratch: scratch === '-' ? null : scratch,
  starts: Number(starts),
  port: Number(port),
  env: { ...env, [LINK_URL]: `http://127.0.0.1:${port}` },
}
const ahead = order !== '-' && given.starts === 1 ? startFirst(order) : null
// Not awaited: what is loaded there may import what is loaded here.
void import('./supervise.ts').then(({ supervise }) => supervise(given, ahead))

/** Null where it cannot be: the order itself will say why. It is only compared with that one, so it is taken as it is. */
function startFirst(json: string): Ahead | null {
  try {
    return Ahead.start(given.sessions, JSON.parse(json) as SessionStart, given.env)
  } catch {
    return null
  }
}
