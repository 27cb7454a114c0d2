import { join } from 'node:path'
import { LINK_PORT, LINK_URL, WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import { Ahead } from './ahead.ts'
import type { SupervisorArguments } from './supervise.ts'
import { ownWorkspace } from './workspace/own-workspace.ts'

/** Set outside a container, where the default port may be taken. */
const { BEADLOOM_LINK_PORT: port = String(LINK_PORT), ...env } = process.env
const [folder = '', magic = '', socketPath = '', scratch = '-', order = '-', starts = ''] = process.argv.slice(2)

export const given: SupervisorArguments = {
  folder,
  workspace: WORKSPACE,
  sessions: join(folder, 'sessions'),
  carriers: join(folder, 'carriers'),
  magic,
  socketPath: socketPath === '-' ? null : socketPath,
  scratch: scratch === '-' ? null : scratch,
  starts: Number(starts),
  port: Number(port),
  env: { ...env, [LINK_URL]: `http://127.0.0.1:${port}` },
}
/**
 * Copies while everything else is loaded. If a supervisor was killed during the copy, the copy is still running, and
 * the next supervisor ends it first.
 */
export const copying = given.starts === 1 ? ownWorkspace(folder, WORKSPACE) : null
/** Probably the first session's process. It is loaded while the rest of the supervisor is. */
export const ahead = order !== '-' && given.starts === 1 ? startFirst(order) : null

/**
 * Null if it cannot be started: the order itself will say why. The JSON is not checked, because it is only compared
 * with the order.
 */
function startFirst(json: string): Ahead | null {
  try {
    return Ahead.start(given.sessions, JSON.parse(json) as SessionStart, given.env)
  } catch {
    return null
  }
}
