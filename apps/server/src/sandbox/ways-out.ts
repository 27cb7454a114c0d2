import type { SessionOrder, Work } from '@beadloom/core/execution/session-order.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Egress } from '../ports/egress.ts'
import type { SandboxSpec, SessionHandlers } from '../ports/sandbox.ts'

type Allowing = Pick<ProjectSettings, 'allow'>
type Listing = Pick<ProjectSettings, 'allow' | 'sealed'>

/** Sessions that only read, or save the workspace, reach nothing outside. */
const REACHING: readonly Work['kind'][] = ['setup', 'work', 'verify']

/** The part of a session's order about hosts outside. */
export const proxied = ({ allow }: Allowing, { kind }: Work): Pick<SessionOrder, 'proxied'> =>
  allow.length > 0 && REACHING.includes(kind) ? { proxied: true } : {}

/** The way out of a session whose order says that it has one. */
export const wayOut = (
  egress: Egress,
  order: Pick<SessionOrder, 'proxied'>,
  { project, owner, allow }: Allowing & { project: ProjectId; owner: ExecutionId },
): Pick<SessionHandlers, 'egress'> => (order.proxied ? { egress: egress.open({ project, owner, allow }) } : {})

/** The network of the sandbox in which `setup` runs: a full one, unless the project has a list of hosts. */
export const networkOfSetup = (settings: Listing & Pick<ProjectSettings, 'setup'>): SandboxSpec['network'] =>
  settings.setup === null ? 'none' : networkOfPreparing(settings)

/** The network before any session runs: a full one, unless the project has a list of hosts. */
export const networkOfPreparing = (settings: Listing): SandboxSpec['network'] =>
  hasHostList(settings) ? 'none' : 'bridge'

/** Whether the project lists the hosts that it needs, even none. */
export const hasHostList = ({ allow, sealed }: Listing): boolean => allow.length > 0 || sealed === true
